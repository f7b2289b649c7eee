import { type Encoding, encodings } from "./inspected_file.ts";

/** The encoding of a name that programs give it, as `latin1`; undefined for one that files are not read in. */
export function encodingOf(name: string): Encoding | undefined {
  try {
    const { encoding } = new TextDecoder(name);
    return encodings.find((one) => one === encoding);
  } catch {
    return undefined;
  }
}
