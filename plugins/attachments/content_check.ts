import { createHash } from "node:crypto";
import { Readable } from "node:stream";

/** Pictures that browsers show, and never run. */
const SHOWN = /^image\/(?:png|jpeg|gif|webp|avif)$/;
/** What pictures have no use for: markup and programs that a browser, or a server, would run. */
const MARKUP = /<(?:script|html|body|svg|iframe|object|embed|img|base|meta)[\s/>]|<!doctype|<\?php/i;
const OVERLAP = 16;
/** Where JavaScript goes on after a name: a file that begins with a name and one of these may be a program. */
const GOES_ON = /^[\s=/*;(,.+\-&|?:[<>^%!~]$/;
/** The bytes after the name that a file begins with, by its type: "GIF89a", "RIFF"; of JPEG after the mark of its first segment. */
const afterName: Readonly<Record<string, number>> = { "image/gif": 6, "image/webp": 4, "image/jpeg": 4 };

/** Looks at all bytes of a file while they pass: their digest, and whether a picture is nothing else. */
export class ContentCheck {
  readonly #hash = createHash("sha256");
  readonly #type: string;
  #isClean: boolean;
  #before = "";
  #seen = 0;

  constructor(type: string) {
    this.#type = type;
    this.#isClean = SHOWN.test(type);
  }

  add(chunk: Buffer): void {
    this.#hash.update(chunk);
    if (this.#isClean) this.#isClean = !this.#isMixed(chunk);
    this.#seen += chunk.length;
  }
  /** The bytes of a stream, as they pass. */
  through(stream: Readable): Readable {
    return Readable.from(this.#passing(stream), { objectMode: false });
  }
  digest(): string {
    return this.#hash.digest("hex");
  }
  /** Whether a browser may show it in the application's origin. */
  get isShown(): boolean {
    return this.#isClean && this.#seen > 0;
  }

  async *#passing(stream: Readable): AsyncGenerator<Buffer> {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      this.add(chunk);
      yield chunk;
    }
  }
  #isMixed(chunk: Buffer): boolean {
    const text = this.#before + chunk.toString("latin1");
    if (this.#seen === 0 && GOES_ON.test(text[afterName[this.#type] ?? -1] ?? "")) return true;
    this.#before = text.slice(-OVERLAP);
    return MARKUP.test(text);
  }
}
