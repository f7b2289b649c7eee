import { relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const FRAMES = 50;
const PLACE = /\(?((?:file:\/\/)?\/?[^()]*?):(\d+):\d+\)?$/;

/** The first line of the application's own code in the calls that led here, as in `app/models/post.ts:12`. */
export function callerIn(root: string): string | undefined {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = before;
  for (const line of stack.split("\n")) {
    const place = PLACE.exec(line.replace(/^\s*at (?:async )?/, "").replace(/^.*\((?=.*\)$)/, "("));
    const file = place && pathOf(place[1]!);
    if (file?.startsWith(root + sep) && !file.includes(`${sep}node_modules${sep}`))
      return `${relative(root, file)}:${place![2]}`;
  }
  return undefined;
}

const pathOf = (place: string): string => (place.startsWith("file://") ? fileURLToPath(place.split("?")[0]!) : place);
