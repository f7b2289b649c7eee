/** How an element of an array is written in JSON. */
type Element = "number" | "boolean" | "instant" | "json" | "text";

/** The numbers of the types of arrays. */
export const elementsOf: ReadonlyMap<number, Element> = new Map<number, Element>([
  ...[1005, 1007, 1016, 1021, 1022, 1231].map((type): [number, Element] => [type, "number"]), // integers, floats, numeric
  [1000, "boolean"],
  ...[1115, 1185].map((type): [number, Element] => [type, "instant"]),
  ...[199, 3807].map((type): [number, Element] => [type, "json"]),
  ...[1002, 1009, 1014, 1015, 1182, 1183, 2951].map((type): [number, Element] => [type, "text"]), // char, text, varchar, date, time, uuid
]);

/** Whether a declared type is an array that `elementsOf` knows. */
export const isReadAsJson = (declared: string): boolean =>
  /^(?:smallint|integer|bigint|real|double precision|numeric.*|boolean|timestamp.*|jsonb?|"?char"?|text|character.*|date|time without.*|uuid)(?:\[\])+$/.test(
    declared,
  );

/** Reads an array, `{1,NULL,"a, b",{2}}`, as the text of its JSON: numbers keep their digits. */
export function arrayParser(element: Element, instant: (text: string) => string): (text: string) => string {
  const write = writers(instant)[element];
  return (text) => {
    let json = "";
    const from = text.indexOf("{"); // after bounds that are not from 1 on, `[0:1]={…}`
    for (const [part] of text.slice(from).matchAll(PART)) {
      if (part === "{") json += "[";
      else if (part === "}") json += "]";
      else if (part === ",") json += ",";
      else if (part === "NULL") json += "null";
      else json += write(part[0] === '"' ? part.slice(1, -1).replace(/\\(.)/gs, "$1") : part);
    }
    return json;
  };
}
const PART = /[{},]|"(?:[^"\\]|\\.)*"|[^{},"]+/gs;

const writers = (instant: (text: string) => string): Readonly<Record<Element, (text: string) => string>> => ({
  number: (text) => (/^-?\d/.test(text) ? text : JSON.stringify(text)), // NaN and Infinity are no numbers of JSON
  boolean: (text) => (text === "t" ? "true" : "false"),
  instant: (text) => JSON.stringify(instant(text)),
  json: (text) => text,
  text: (text) => JSON.stringify(text),
});
