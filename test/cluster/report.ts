import type { Fault } from "./faults.ts";
import { kinds, type Ledger } from "./ledger.ts";
import type { Promises } from "./promises.ts";

const MAX_LINES = 12;

/** The tables of what was sent, answered and found, and of the faults. */
export function tables(ledger: Ledger, promises: Promises, faults: readonly Fault[]): string {
  const head = "| | sent | answered | refused as expected | refused | failed | found | missing | double | half |";
  const rows = kinds.map((kind) => {
    const { sent, ok, expected, refused, failed } = ledger.counts.get(kind)!;
    const there = promises.byKind.get(kind);
    const found = there
      ? [there.found, there.missing.length, there.double.length, there.half.length]
      : ["", "", "", ""];
    return `| ${[kind, sent, ok, expected, refused, failed, ...found].join(" | ")} |`;
  });
  const times = faults.map(({ name, from, to }) => `| ${name} | ${from} | ${to} |`);
  return [
    ...[head, head.replace(/[^|]+/g, "---"), ...rows, ""],
    ...["| fault | from, s | to, s |", "|---|---|---|", ...times],
  ].join("\n");
}

/** The requests that failed, by what was asked and how it ended, the most frequent first. */
export function failuresOf({ failures }: Ledger): string[] {
  const groups = new Map<string, number[]>();
  for (const { at, kind, what, status } of failures) {
    const name = `${kind}: ${what
      .replace(/\/\d+/g, "/…")
      .replace(/\/[\w-]{40,}/g, "/…")
      .replace(/key=.*/, "key=…")} ${status}`;
    groups.set(name, [...(groups.get(name) ?? []), at]);
  }
  const most = [...groups].sort(([, one], [, other]) => other.length - one.length).slice(0, 3 * MAX_LINES);
  return most.map(([name, times]) => {
    const seconds = times.slice(0, 8).map((at) => (at / 1000).toFixed(1));
    return `${times.length} × ${name} (at ${seconds.join(", ")}${times.length > 8 ? ", …" : ""} s)`;
  });
}

/** Prints a promise and whether it was kept; returns whether. */
export function verdict(promise: string, problems: readonly string[]): boolean {
  const isKept = problems.length === 0;
  console.log(`${isKept ? "ok  " : "FAIL"} ${promise}`);
  for (const line of problems.slice(0, MAX_LINES)) console.log(`     ${line}`);
  if (problems.length > MAX_LINES) console.log(`     and ${problems.length - MAX_LINES} more`);
  return isKept;
}
