import sharp from "sharp";

const BLOCKS = { width: 60, height: 38 };

/**
 * How much two pictures differ: the part of their blocks, of 20 pixels, whose brightness differs by more than a tenth.
 * A text that moved by a pixel or a date that is a day later is no difference, a panel that is new is one.
 */
export async function difference(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all([one, other].map(blocks));
  const others = a!.filter((brightness, at) => Math.abs(brightness - b![at]!) > 25).length;
  return others / a!.length;
}

const blocks = (picture: Buffer): Promise<Buffer> =>
  sharp(picture)
    .resize({ ...BLOCKS, fit: "fill" })
    .greyscale()
    .raw()
    .toBuffer();

/** As the documents have it: no loss that one sees. */
export const webp = (png: Buffer): Promise<Buffer> => sharp(png).webp({ quality: 82, effort: 6 }).toBuffer();
