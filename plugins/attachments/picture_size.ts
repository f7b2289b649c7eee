/** The width and the height of a picture, in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

const readers: Readonly<Record<string, (head: Buffer) => PictureSize | undefined>> = {
  "image/png": (head) => ({ width: head.readUInt32BE(16), height: head.readUInt32BE(20) }),
  "image/gif": (head) => ({ width: head.readUInt16LE(6), height: head.readUInt16LE(8) }),
  "image/jpeg": jpegSize,
  "image/webp": webpSize,
  "image/avif": avifSize,
};

/** Reads the size of a picture from its first bytes, which state it before anything is decoded; undefined where they don't. */
export function pictureSize(head: Buffer, type: string): PictureSize | undefined {
  try {
    return readers[type]?.(head);
  } catch (error) {
    if (error instanceof RangeError) return undefined; // the file ends in its header
    throw error;
  }
}

/** The frame's header comes after the other segments. */
function jpegSize(head: Buffer): PictureSize | undefined {
  for (let at = 2; at < head.length - 9; ) {
    if (head[at] !== 0xff) return undefined;
    const marker = head[at + 1]!;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: head.readUInt16BE(at + 7), height: head.readUInt16BE(at + 5) };
    at += marker === 0xff ? 1 : 2 + head.readUInt16BE(at + 2);
  }
  return undefined;
}

function webpSize(head: Buffer): PictureSize | undefined {
  const kind = head.toString("latin1", 12, 16);
  if (kind === "VP8X") return { width: 1 + head.readUIntLE(24, 3), height: 1 + head.readUIntLE(27, 3) };
  if (kind === "VP8 ") return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
  if (kind !== "VP8L") return undefined;
  const bits = head.readUInt32LE(21);
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
}

/** The property "ispe": its length, its name, four bytes of flags. */
function avifSize(head: Buffer): PictureSize | undefined {
  const at = head.indexOf("ispe", 0, "latin1");
  return at < 0 ? undefined : { width: head.readUInt32BE(at + 8), height: head.readUInt32BE(at + 12) };
}
