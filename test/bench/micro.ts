import { AsyncSeriesBailHook, AsyncSeriesHook, SyncBailHook, SyncHook, SyncWaterfallHook } from "tapable";
import { RouteTable, segmentsOf } from "../../host/routing/route_table.ts";
import { median } from "./report.ts";

/** Microseconds that a call takes, the median of several batches after a warm-up. */
export function microseconds(call: (turn: number) => unknown, calls = 20_000): number {
  const batches = Array.from({ length: 9 }, () => {
    const start = performance.now();
    for (let turn = 0; turn < calls; turn++) call(turn);
    return ((performance.now() - start) * 1000) / calls;
  });
  return median(batches.slice(2));
}

/** Looks up paths of a table with so many routes, spread over resources as portals draw them. */
export function dispatchTime(routes: number): number {
  const table = new RouteTable<{ name: string }>();
  const shapes = [
    "",
    "/new",
    "/:id",
    "/:id/edit",
    "/actions/:action_key",
    "/:id/actions/:action_key",
    "/typeahead/:association",
    "/:id/nested_comments",
    "/:id/nested_comments/:other",
    "/:id/nested_comments/new",
  ];
  const resources = Math.ceil(routes / shapes.length);
  for (let resource = 0; resource < resources; resource++) {
    for (const shape of shapes) table.add(segmentsOf(`/records_${resource}${shape}`), () => ({ name: shape }));
  }
  const paths = Array.from({ length: 64 }, (_, at) => {
    const shape = shapes[at % shapes.length]!.replace(/:\w+/g, String(at));
    return `records_${(at * 7919) % resources}${shape}`;
  });
  for (const path of paths) if (!table.find(path)) throw new Error(`"${path}" is not found.`);
  return microseconds((turn) => table.find(paths[turn & 63]!));
}

/** All hooks that a page of a resource passes, each with a tap that does nothing: what the bus itself costs. */
export function hooksTime(): number {
  const nothing = () => undefined;
  type One = [unknown];
  type Two = [unknown, unknown];
  const [layout, render] = [new SyncBailHook<One, unknown>(["request"]), new SyncBailHook<One, unknown>(["view"])];
  const [page, navigation, scope, reply] = [
    new SyncHook<Two>(["locals", "controller"]),
    new SyncHook<Two>(["items", "controller"]),
    new SyncHook<Two>(["narrow", "controller"]),
    new SyncHook<Two>(["reply", "request"]),
  ];
  const fields = new SyncWaterfallHook<[unknown, unknown, unknown]>(["names", "registration", "controller"]);
  const [authenticate, authorize] = [
    new AsyncSeriesBailHook<One, unknown>(["request"]),
    new AsyncSeriesHook<Two>(["action", "controller"]),
  ];
  for (const hook of [layout, render]) hook.tap("bench", nothing);
  for (const hook of [page, navigation, scope, reply]) hook.tap("bench", nothing);
  fields.tap("bench", (names) => names);
  const names = ["title"];
  return microseconds(() => {
    if (authenticate.isUsed() || authorize.isUsed()) throw new Error("unused");
    scope.call(names, names);
    fields.call(names, names, names);
    page.call(names, names);
    navigation.call(names, names);
    layout.call(names);
    reply.call(names, names);
    return render.call(names);
  });
}
