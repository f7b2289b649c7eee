/** A picture of one pixel, 70 bytes. */
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
/** The picture with bytes after it, so many together. */
export const pngOf = (size: number): Buffer => Buffer.concat([PNG, Buffer.alloc(Math.max(0, size - PNG.length))]);
