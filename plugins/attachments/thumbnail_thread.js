// The thread that draws thumbnails. Plain JavaScript, so that it runs from the sources and from dist/.
import { parentPort, workerData } from "node:worker_threads";
import sharp from "sharp";

const { pixels, seconds } = workerData;
const LARGE = 240;
/** Shown at half of it, on screens that are twice as fine. */
const SMALL = 64;

sharp.concurrency(1); // the other cores serve requests
sharp.cache(false);

/** The first picture of the file, upright, without what its metadata say of place and person. */
const opened = (bytes) => sharp(bytes, { limitInputPixels: pixels, failOn: "error" }).timeout({ seconds }).rotate();

async function draw(bytes) {
  const large = await opened(bytes)
    .resize(LARGE, LARGE, { fit: "inside", withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer();
  const small = await sharp(large).resize(SMALL, SMALL, { fit: "cover" }).webp({ quality: 75 }).toBuffer();
  return { large: new Uint8Array(large), small: new Uint8Array(small) };
}

parentPort.on("message", (bytes) => {
  draw(bytes).then(
    (drawn) => parentPort.postMessage(drawn),
    (error) => parentPort.postMessage({ problem: String(error?.message ?? error).slice(0, 300) }),
  );
});
