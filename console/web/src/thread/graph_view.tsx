/** A graph as a drawing: nodes that were visited are lit and counted, those at work stand out. */
import type { Visits } from "./progress.ts";
import { drawingOf } from "../server/langgraph.ts";
import { useAsked } from "../parts/loading.ts";
import type { Drawing, Path, Place, Point } from "./layout.ts";
import { nodeName } from "./node_names.ts";

/** dagre is asked for only where something is drawn. */
async function laidOut(graph: string): Promise<Drawing> {
  const [{ drawingFrom }, shape] = await Promise.all([import("./layout.ts"), drawingOf(graph)]);
  return drawingFrom(shape);
}

interface GraphProps {
  graph: string;
  nodes: Map<string, Visits>;
  passed: Set<string>;
  small?: boolean;
}

export function GraphView({ graph, nodes, passed, small = false }: GraphProps) {
  const asked = useAsked(graph, () => laidOut(graph));
  const drawing = asked.value.value;
  if (asked.value.problem) return <p class="muted">The graph cannot be drawn: {asked.value.problem}</p>;
  if (!drawing) return <div class="graph-room" aria-hidden="true" />;
  return (
    <div class="graph-room">
      <svg class={small ? "graph small" : "graph"} viewBox={`0 0 ${drawing.width} ${drawing.height}`} width={drawing.width} height={drawing.height} role="img" aria-label={spoken(graph, nodes)}>
        {drawing.edges.map((edge) => (
          <Edge key={edge.id} edge={edge} passed={passed.has(edge.id) || leads(edge, nodes)} />
        ))}
        {drawing.nodes.map((node) => (
          <Node key={node.id} node={node} visits={nodes.get(node.id)} />
        ))}
      </svg>
    </div>
  );
}

/** No task tells of the end: a node that always leads there has led there once it is done. */
function leads({ source, target, conditional }: Path, nodes: Map<string, Visits>): boolean {
  const visits = nodes.get(source);
  return target === "__end__" && !conditional && Boolean(visits?.count) && !visits?.active;
}

/** The drawing in words; what is at work is told by the status, not again and again by the picture. */
function spoken(graph: string, nodes: Map<string, Visits>): string {
  const seen = [...nodes].map(([name, visits]) => `${name} ${visits.count} times`);
  return `Graph ${graph}. ${seen.length ? `Visited: ${seen.join(", ")}.` : "No node was visited yet."}`;
}

function Edge({ edge, passed }: { edge: Path; passed: boolean }) {
  const points = edge.points;
  const last = points.at(-1);
  const before = points.at(-2);
  if (!last || !before) return null;
  return (
    <g class={passed ? "edge passed" : "edge"}>
      <path d={curve(points)} fill="none" stroke-dasharray={edge.conditional ? "4 3" : undefined} />
      <polygon points={arrow(before, last)} />
    </g>
  );
}

/** Through the middle of each stretch, bent toward its corners. */
function curve(points: Point[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  let path = `M${first.x} ${first.y}`;
  rest.forEach((corner, index) => {
    const next = rest[index + 1];
    if (next) path += ` Q${corner.x} ${corner.y} ${(corner.x + next.x) / 2} ${(corner.y + next.y) / 2}`;
    else path += ` L${corner.x} ${corner.y}`;
  });
  return path;
}

function arrow(from: Point, to: Point): string {
  const turn = Math.atan2(to.y - from.y, to.x - from.x);
  const corner = (angle: number, far: number) => `${to.x - far * Math.cos(turn + angle)},${to.y - far * Math.sin(turn + angle)}`;
  return `${to.x},${to.y} ${corner(0.42, 7)} ${corner(-0.42, 7)}`;
}

function Node({ node, visits }: { node: Place; visits: Visits | undefined }) {
  const terminal = node.id.startsWith("__");
  const standing = visits?.active ? "active" : visits?.failed ? "failed" : visits?.count ? "visited" : "";
  const { x, y, width, height } = node;
  return (
    <g class={`node ${terminal ? "terminal" : ""} ${standing}`} data-node={node.id}>
      <rect x={x - width / 2} y={y - height / 2} width={width} height={height} rx={terminal ? height / 2 : 6} />
      <text x={x} y={y} dy="0.35em" text-anchor="middle">
        {nodeName(node.id)}
        {visits?.count ? <tspan class="count"> {visits.count}</tspan> : null}
      </text>
    </g>
  );
}
