import { BlockTag, type Template } from "liquidjs";
import { argumentCode } from "./loops.ts";
import { type BlockBody, type Place, quote } from "./place.ts";
import { shapeOf } from "./shapes.ts";
import { Unsupported } from "./unsupported.ts";

/** `layout`: renders what follows and collects its blocks, then renders the layout with these blocks. */
export function layoutTag(template: Template, place: Place): string {
  const tag = shapeOf(template, "layout");
  const { unit, node } = place;
  if (tag.file === undefined && !place.isStoring) return unit.write(tag.templates, place);
  if (!place.top) throw new Unsupported("a layout that is not named at the top of its file", node);
  const templates = unit.load(tag, node, "layout");
  if (place.within.includes(templates)) throw new Unsupported("a layout that is its own layout", node);
  const html = unit.identifier("o");
  const blocks = new Map(place.blocks);
  const rest = collectBlocks(tag.templates, blocks, node);
  const kept = unit.write(rest, { ...place, out: html, isStoring: true, top: undefined, jump: undefined });
  if (!blocks.has("")) blocks.set("", [{ html }]);
  const given = Object.keys(tag.args.hash).map((name) => [name, unit.identifier("x")] as const);
  const args = given.map(([name, variable]) => `const ${variable}=${argumentCode(tag.args, name, place)};`);
  const scope = { values: new Map(given.map(([name, variable]) => [name, () => variable] as const)) };
  const within = [...place.within, templates];
  const frame = { ...place, blocks, scopes: [...place.scopes, scope], storing: false, top: templates, within };
  return `let ${html}="";${kept}${args.join("")}${unit.write(templates, frame)}`;
}

/** Moves the blocks of a file's templates into `blocks`, after those of the file that uses it as its layout. */
function collectBlocks(templates: readonly Template[], blocks: Map<string, readonly BlockBody[]>, node: Place["node"]) {
  const own = new Set<string>();
  return templates.filter((template) => {
    if (!(template instanceof BlockTag)) return true;
    const { block, templates } = shapeOf(template, "block");
    if (own.has(block)) throw new Unsupported(`two blocks named ${quote(block)}`, node);
    own.add(block);
    blocks.set(block, [...(blocks.get(block) ?? []), { tag: template, templates }]);
    return false;
  });
}

/** `block`: rendered with the block of this name of the innermost file that has one. */
export function blockTag(template: Template, place: Place): string {
  if (place.isStoring) throw new Unsupported("a block inside another tag, in a file with a layout", place.node);
  const { block, templates } = shapeOf(template, "block");
  return blockCode([...(place.blocks.get(block) ?? []), { tag: template, templates }], place);
}

function blockCode([body, ...above]: readonly BlockBody[], place: Place): string {
  if (!body) return "";
  if ("html" in body) return `${place.out}+=${body.html};`;
  if (place.within.includes(body.tag)) throw new Unsupported("a block inside itself", place.node);
  const scope = {
    values: new Map([["block", blockAlone(place)]]),
    above: (at: Place) => {
      const out = place.unit.identifier("o");
      return `(()=>{let ${out}="";${blockCode(above, { ...at, out, jump: undefined })}return ${out}})()`;
    },
  };
  const within = [...place.within, body.tag];
  return `{${place.unit.write(body.templates, { ...place, scopes: [...place.scopes, scope], within })}}`;
}

const blockAlone = (place: Place) => (): string => {
  throw new Unsupported('"block" without "super"', place.node);
};
