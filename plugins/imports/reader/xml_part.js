import { SaxesParser } from "saxes";
import { Refused } from "./refused.js";

/** Counts what the XML of a file has, over all its parts. */
export class XmlBudget {
  #limits;
  #elements = 0;
  #attributeChars = 0;

  constructor(limits) {
    this.#limits = limits;
  }

  /**
   * Reads a part of an archive as a stream. `open(name, attributes)`, `text(text)` and `close(name)` are called as they come, with
   * names without their prefix; the whole name comes last. `after` is awaited between two pieces; what it returns as false ends the reading.
   * @throws Refused at the first error, for a document type, and for what is deeper, longer or more than an import may have
   */
  async read(archive, name, { open, text, close, after }) {
    const {
      depth: maxDepth,
      attributes: maxAttributes,
      attributeChars,
      allAttributeChars,
      tokenBytes,
      elements,
    } = this.#limits;
    const parser = new SaxesParser();
    let [depth, attributes, pending] = [0, 0, 0];
    const fail = (problem = "sheet_invalid", vars) => {
      throw new Refused(problem, vars);
    };
    parser.on("error", () => fail());
    parser.on("doctype", () => fail());
    parser.on("attribute", ({ value }) => {
      this.#attributeChars += value.length;
      const isMore = ++attributes > maxAttributes || value.length > attributeChars;
      if (isMore || this.#attributeChars > allAttributeChars) fail("sheet_complex");
    });
    parser.on("opentag", (tag) => {
      [attributes, pending] = [0, 0];
      if (++depth > maxDepth || ++this.#elements > elements) fail("sheet_complex");
      open(localName(tag.name), tag.attributes, tag.name);
    });
    parser.on("closetag", (tag) => {
      depth--;
      pending = 0;
      close?.(localName(tag.name), tag.name);
    });
    if (text) {
      parser.on("text", text);
      parser.on("cdata", text);
    }
    let decoder;
    for await (const bytes of archive.read(name)) {
      decoder ??= decoderOf(bytes);
      pending += bytes.length;
      if (pending > tokenBytes) fail("sheet_complex");
      parser.write(decoded(decoder, bytes));
      if ((await after?.()) === false) return;
    }
    parser.close();
  }
}

/** Without the prefix of its namespace. */
const localName = (name) => name.slice(name.indexOf(":") + 1);

function decoderOf(bytes) {
  const encoding = bytes[0] === 0xff ? "utf-16le" : bytes[0] === 0xfe ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding, { fatal: true });
}
function decoded(decoder, bytes) {
  try {
    return decoder.decode(bytes, { stream: true });
  } catch {
    throw new Refused("sheet_invalid");
  }
}
