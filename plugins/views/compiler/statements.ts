import { type Template, Value } from "liquidjs";
import { operandCode, valueCode } from "./expressions.ts";
import { type Place, quote } from "./place.ts";
import { shapeOf } from "./shapes.ts";
import { Unsupported } from "./unsupported.ts";

const escapes = ({ filters }: Value): boolean => !(filters.at(-1) as { raw?: boolean } | undefined)?.raw;

/** `{{ … }}`: the last filter escapes, unless it is `raw`. */
export function output(template: Template, place: Place): string {
  const { value } = template as unknown as { value: Value };
  const code = valueCode(value, place);
  return `${place.out}+=${escapes(value) ? code : `text(${code})`};`;
}

export function echo(template: Template, place: Place): string {
  const { value } = shapeOf(template, "echo");
  return value ? `${place.out}+=${shownCode(value, place)};` : "";
}

/** A value output by a tag, which has no escaping filter. */
function shownCode(value: Value, place: Place): string {
  const code = `plain(${valueCode(value, place)})`;
  return escapes(value) ? `escaped(${code})` : `text(${code})`;
}

export function assign(template: Template, place: Place): string {
  const { key, value } = shapeOf(template, "assign");
  return `${place.frame.variables.get(key)}=${valueCode(value, place)};`;
}

/** `capture`: the text is escaped already. */
export function capture(template: Template, place: Place): string {
  const { variable, templates } = shapeOf(template, "capture");
  const { unit, jump } = place;
  const out = unit.identifier("o");
  const [label, left] = [unit.identifier("L"), unit.identifier("l")];
  const before = unit.jumps;
  const inner = jump && { break: `${left}=1;break ${label};`, continue: `${left}=2;break ${label};` };
  const body = unit.write(templates, { ...place, out, jump: inner });
  const keep = `${place.frame.variables.get(variable)}=new SafeHtml(${out});`;
  if (!jump || unit.jumps === before) return `let ${out}="";${body}${keep}`;
  return `let ${out}="",${left}=0;${label}:{${body}}${keep}if(${left}===1){${jump.break}}if(${left}===2){${jump.continue}}`;
}

export const count = (template: Template, { out }: Place, by: 1 | -1): string =>
  `${out}+=counted(numbers,${quote(counterName(template))},${by});`;

function counterName(template: Template): string {
  const { variable } = shapeOf(template, "count");
  if (variable in Object.prototype) throw new Unsupported(`a counter named ${quote(variable)}`, template.token);
  return variable;
}

export function cycle(template: Template, place: Place): string {
  const { candidates, group } = shapeOf(template, "cycle");
  const names = quote(candidates.map((candidate) => candidate.getText()).join(","));
  const values = candidates.map((candidate) => shownCode(new Value(candidate as never, place.unit.liquid), place));
  const [last = "", ...others] = values.reverse();
  const turn = place.frame.temporary();
  const chosen = others.reduce((code, value, index) => `${turn}===${others.length - 1 - index}?${value}:${code}`, last);
  return `${turn}=turn(registers,${operandCode(group as never, place)},${names},${values.length});${place.out}+=${chosen};`;
}
