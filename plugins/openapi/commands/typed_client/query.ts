import type { Schema } from "../../contract.ts";
import { property } from "./names.ts";
import { block, comment, typeOf, union } from "./types.ts";

/** Parameters of a query by the parts of their names: `filter[title][contains]` is below `filter` and `title`. */
interface Level {
  own?: Schema;
  readonly parts: Map<string, Level>;
}

/** The type of a query. A name of several parts is an object in an object; a list in one of these is repeated. */
export function queryType(parameters: readonly Schema[]): string {
  const top: Level = { parts: new Map() };
  for (const one of parameters) {
    const name = String(one.name);
    const isNested = name.includes("[") && !/^[^[]*\[\]$/.test(name);
    const parts = isNested ? name.split("[").map((part) => part.replace(/\]$/, "")) : [name];
    let level = top;
    for (const part of parts.filter((some) => some !== "")) {
      const below = level.parts.get(part) ?? { parts: new Map() };
      level.parts.set(part, below);
      level = below;
    }
    level.own = one;
  }
  return levelType(top);
}

function levelType({ own, parts }: Level): string {
  const alone = own ? typeOf((own.schema ?? {}) as Schema) : undefined;
  if (parts.size === 0) return alone!;
  const members = [...parts].map(([name, level]) => {
    const { description } = level.own ?? {};
    const text = typeof description === "string" && level.parts.size === 0 ? comment(description) : "";
    return `${text}readonly ${property(name)}${level.own?.required ? "" : "?"}: ${levelType(level)};`;
  });
  return alone === undefined ? block(members) : union([alone, block(members)]);
}
