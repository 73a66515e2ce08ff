/** Where the nodes of a graph are drawn, by dagre, from above to below. */
import { Graph, layout } from "@dagrejs/dagre";

import type { AssistantGraph } from "@langchain/langgraph-sdk";

import { isDrawn, nodeName } from "./node_names.ts";

export interface Place {
  id: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Path {
  id: string;
  source: string;
  target: string;
  conditional: boolean;
  points: Point[];
}

export interface Point {
  x: number;
  y: number;
}

export interface Drawing {
  width: number;
  height: number;
  nodes: Place[];
  edges: Path[];
}

const CHAR = 7.4;
const HEIGHT = 30;

export function drawingFrom(graph: AssistantGraph): Drawing {
  const plan = new Graph<{ width?: number; height?: number }, Place, { points: Point[] }>();
  plan.setGraph({ rankdir: "TB", nodesep: 18, ranksep: 26, marginx: 6, marginy: 6 } as object);
  plan.setDefaultEdgeLabel(() => ({ points: [] }));
  const nodes = graph.nodes.map((node) => String(node.id)).filter(isDrawn);
  for (const id of nodes) {
    const terminal = id.startsWith("__");
    // Room for the count of visits beside the name.
    const width = terminal ? 52 : Math.max(64, nodeName(id).length * CHAR + 44);
    plan.setNode(id, { id, x: 0, y: 0, width, height: terminal ? 22 : HEIGHT });
  }
  const edges = graph.edges.filter((edge) => nodes.includes(edge.source) && nodes.includes(edge.target));
  for (const edge of edges) plan.setEdge(edge.source, edge.target);
  layout(plan);
  const size = plan.graph() as unknown as { width: number; height: number };
  return {
    width: size.width,
    height: size.height,
    nodes: nodes.map((id) => ({ ...(plan.node(id) as Place), id })),
    edges: edges.map((edge) => ({
      id: `${edge.source}>${edge.target}`,
      source: edge.source,
      target: edge.target,
      conditional: Boolean(edge.conditional),
      points:
        edge.source === edge.target
          ? loop(plan.node(edge.source) as Place)
          : (plan.edge(edge.source, edge.target) as unknown as { points: Point[] }).points,
    })),
  };
}

/** An edge of a node to itself, out of its right side and back. */
function loop({ x, y, width }: Place): Point[] {
  const side = x + width / 2;
  return [
    { x: side, y: y - 6 },
    { x: side + 20, y: y - 12 },
    { x: side + 20, y: y + 12 },
    { x: side, y: y + 6 },
  ];
}
