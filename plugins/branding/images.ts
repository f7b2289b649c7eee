/** Pictures that browsers show and nothing else: by their first bytes, and by ending where their format does. */
const formats: readonly { readonly type: string; is(bytes: Buffer): boolean }[] = [
  {
    type: "image/png",
    is: (bytes) =>
      bytes.subarray(0, 8).equals(Buffer.from("89504e470d0a1a0a", "hex")) &&
      bytes.subarray(-8).equals(Buffer.from("49454e44ae426082", "hex")),
  },
  {
    type: "image/jpeg",
    is: (bytes) => bytes.readUIntBE(0, 3) === 0xffd8ff && bytes.readUInt16BE(bytes.length - 2) === 0xffd9,
  },
  {
    type: "image/webp",
    is: (bytes) =>
      bytes.toString("latin1", 0, 4) === "RIFF" &&
      bytes.toString("latin1", 8, 12) === "WEBP" &&
      bytes.readUInt32LE(4) + 8 + ((bytes.readUInt32LE(4) + 8) % 2) === bytes.length,
  },
];
const LEAST = 24;

/** The type of a PNG, JPEG or WebP picture; undefined for other bytes, also where something follows the picture. */
export const pictureType = (bytes: Buffer): string | undefined =>
  bytes.length < LEAST ? undefined : formats.find(({ is }) => is(bytes))?.type;
