import { BlockTag, type Template } from "liquidjs";
import { givenValue } from "./loops.ts";
import { type BlockBody, type Place, quote } from "./place.ts";
import { seen } from "./shapes.ts";
import { Unsupported } from "./unsupported.ts";

/** `layout`: what follows is rendered and its blocks are kept; then the layout is, with these in their places. */
export function layoutTag(template: Template, place: Place): string {
  const tag = seen(template, "layout");
  const { unit, node } = place;
  if (tag.file === undefined && !place.storing) return unit.write(tag.templates, place);
  if (!place.top) throw new Unsupported("a layout that is not named at the top of its file", node);
  const templates = unit.load(tag, node, "layout");
  if (place.within.includes(templates)) throw new Unsupported("a layout that is its own", node);
  const html = unit.identifier("o");
  const blocks = new Map(place.blocks);
  const rest = keepBlocks(tag.templates, blocks, node);
  const kept = unit.write(rest, { ...place, out: html, storing: true, top: undefined, jump: undefined });
  if (!blocks.has("")) blocks.set("", [{ html }]);
  const given = Object.keys(tag.args.hash).map((name) => [name, unit.identifier("x")] as const);
  const args = given.map(([name, variable]) => `const ${variable}=${givenValue(tag.args, name, place)};`);
  const scope = { values: new Map(given.map(([name, variable]) => [name, () => variable] as const)) };
  const within = [...place.within, templates];
  const frame = { ...place, blocks, scopes: [...place.scopes, scope], storing: false, top: templates, within };
  return `let ${html}="";${kept}${args.join("")}${unit.write(templates, frame)}`;
}

/** Takes the blocks out of a file's own templates; the ones of the file that names it as its layout come first. */
function keepBlocks(templates: readonly Template[], blocks: Map<string, readonly BlockBody[]>, node: Place["node"]) {
  const own = new Set<string>();
  return templates.filter((template) => {
    if (!(template instanceof BlockTag)) return true;
    const { block, templates } = seen(template, "block");
    if (own.has(block)) throw new Unsupported(`two blocks named ${quote(block)}`, node);
    own.add(block);
    blocks.set(block, [...(blocks.get(block) ?? []), { tag: template, templates }]);
    return false;
  });
}

/** `block`: the innermost file that has one of this name fills it. */
export function blockTag(template: Template, place: Place): string {
  if (place.storing) throw new Unsupported("a block inside another tag, in a file with a layout", place.node);
  const { block, templates } = seen(template, "block");
  return filled([...(place.blocks.get(block) ?? []), { tag: template, templates }], place);
}

function filled([body, ...above]: readonly BlockBody[], place: Place): string {
  if (!body) return "";
  if ("html" in body) return `${place.out}+=${body.html};`;
  if (place.within.includes(body.tag)) throw new Unsupported("a block inside itself", place.node);
  const scope = {
    values: new Map([["block", blockAlone(place)]]),
    above: (at: Place) => {
      const out = place.unit.identifier("o");
      return `(()=>{let ${out}="";${filled(above, { ...at, out, jump: undefined })}return ${out}})()`;
    },
  };
  const within = [...place.within, body.tag];
  return `{${place.unit.write(body.templates, { ...place, scopes: [...place.scopes, scope], within })}}`;
}

const blockAlone = (place: Place) => (): string => {
  throw new Unsupported('"block" without "super"', place.node);
};
