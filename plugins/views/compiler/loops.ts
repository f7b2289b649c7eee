import type { Template } from "liquidjs";
import { operandCode } from "./expressions.ts";
import { type Jump, type Place, quote, type Scope } from "./place.ts";
import { type LoopShape, type NamedArguments, shapeOf } from "./shapes.ts";
import { Unsupported } from "./unsupported.ts";

/** `break` and `continue`: leave the loop, or the page outside of loops. */
export function jumpTag(kind: keyof Jump, { unit, jump, node }: Place): string {
  if (!jump) throw new Unsupported(`a ${kind} that leaves the tag around it`, node);
  unit.jumps++;
  return jump[kind];
}

export function forTag(template: Template, place: Place): string {
  const tag = shapeOf(template, "loop");
  const { unit } = place;
  if (tag.variable === "forloop") throw new Unsupported('a loop whose variable is "forloop"', place.node);
  const all = unit.identifier("a");
  const otherwise = tag.elseTemplates.length > 0 ? `else{${unit.write(tag.elseTemplates, place)}}` : "";
  const { prepare, items } = slicedList(tag, all, place);
  const loop = loopCode(tag, items, place);
  return `const ${all}=list(${operandCode(tag.collection, place)});if(${all}.length!==0){${prepare}${loop}}${otherwise}`;
}

/** Applies `offset`, `limit` and `reversed`, and records where `offset: continue` resumes. */
function slicedList(
  tag: LoopShape & { hash: NamedArguments },
  all: string,
  place: Place,
): { prepare: string; items: string } {
  const names = Object.keys(tag.hash.hash);
  const { resumes } = place.frame.names;
  if (names.length === 0 && !resumes) return { prepare: "", items: all };
  const mark = `registers[${quote(`continue-${tag.variable}-${tag.collection.getText()}`)}]`;
  const inner = resumes ? { ...place, scopes: [...place.scopes, scopeOfOne("continue", mark)] } : place;
  const given = new Map(names.map((name) => [name, place.unit.identifier("n")]));
  const values = names.map((name) => `const ${given.get(name)}=${argumentCode(tag.hash, name, inner)};`).join("");
  const items = place.unit.identifier("a");
  const which = ["offset", "limit", "reversed"].map((name) => given.get(name) ?? "undefined");
  const begin = resumes ? `${mark}=${mark}||{};` : "";
  const end = resumes ? `${mark}=(${which[0]}||0)+${items}.length;` : "";
  return { prepare: `${begin}${values}const ${items}=part(${[all, ...which].join(",")});${end}`, items };
}

const scopeOfOne = (name: string, code: string): Scope => ({ values: new Map([[name, () => code]]) });

/** The code of a named argument; a name without a value is true. */
export function argumentCode({ hash }: NamedArguments, name: string, place: Place): string {
  const token = hash[name];
  return token === undefined ? "true" : operandCode(token, place);
}

function loopCode(tag: LoopShape, items: string, place: Place): string {
  const { unit } = place;
  const [item, at, count] = [unit.identifier("x"), unit.identifier("i"), unit.identifier("n")];
  const [loop, body] = [unit.identifier("F"), unit.identifier("B")];
  let drop: string | undefined; // created only where "forloop" is used for more than its counters
  const forloop = (): string => {
    drop ??= unit.identifier("d");
    return drop;
  };
  const values = new Map([
    ["forloop", forloop],
    [tag.variable, () => item],
  ]);
  const scopes = [...place.scopes, { values, counters: countersOf(at, count) }];
  const jump = { break: `break ${loop};`, continue: `break ${body};` };
  const code = unit.write(tag.templates, { ...place, scopes, jump });
  const name = `${quote(tag.collection.getText())},${quote(tag.variable)}`;
  const made = drop ? `const ${drop}=new ForloopDrop(${count},${name});` : "";
  const next = drop ? `${drop}.next();` : "";
  const turns = `${loop}:for(const ${item} of ${items}){${body}:{${code}}${at}++;${next}}`;
  return `const ${count}=${items}.length;let ${at}=0;${made}${turns}`;
}

const countersOf = (at: string, count: string): ReadonlyMap<string, string> =>
  new Map([
    ["index", `(${at}+1)`],
    ["index0", at],
    ["first", `(${at}===0)`],
    ["last", `(${at}===${count}-1)`],
    ["length", count],
    ["rindex", `(${count}-${at})`],
    ["rindex0", `(${count}-${at}-1)`],
  ]);

export function tablerowTag(template: Template, place: Place): string {
  const tag = shapeOf(template, "tablerow");
  const { unit, out } = place;
  if (tag.variable === "tablerowloop") throw new Unsupported('a loop whose variable is "tablerowloop"', place.node);
  const [all, args, items, item, loop] = ["a", "n", "a", "x", "d"].map((letter) => unit.identifier(letter));
  const names = Object.keys(tag.args.hash);
  const given = names.map((name) => `${quote(name)},${argumentCode(tag.args, name, place)}`).join(",");
  const values = new Map([
    ["tablerowloop", () => loop as string],
    [tag.variable, () => item as string],
  ]);
  const code = unit.write(tag.templates, { ...place, scopes: [...place.scopes, { values }], jump: undefined });
  const name = `${quote(tag.collection.getText())},${quote(tag.variable)}`;
  return `const ${all}=list(${operandCode(tag.collection, place)}),${args}=scope([${given}]),${items}=rows(${all},${args});
const ${loop}=new TablerowDrop(${items}.length,${args}.cols||${items}.length,${name});
for(const ${item} of ${items}){${out}+=cell(${loop});${code}${out}+="</td>";${loop}.next();}
if(${items}.length)${out}+="</tr>";`;
}
