/** How nodes are called in drawings and lists. */

/** What runs only when another node failed has no edge, and would stand in a drawing without a place. */
export function isDrawn(id: string): boolean {
  return !/^__(default_)?error_handler__/.test(id);
}

export function nodeName(id: string): string {
  return id === "__start__" ? "start" : id === "__end__" ? "end" : id;
}
