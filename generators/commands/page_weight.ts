import type { IncomingMessage } from "node:http";
import { gzipSync } from "node:zlib";
import type { Application, Finding } from "framewright/host";

/** The request of a visitor for whom nothing was loaded yet; there is no such page, and its answer is drawn like the others. */
const visit = {
  method: "GET",
  url: "/_fw_doctor",
  headers: { accept: "text/html", host: "localhost" },
  rawHeaders: [],
  socket: { remoteAddress: "127.0.0.1" },
  complete: true,
} as unknown as IncomingMessage;

/**
 * What the files weigh that a standard page names, without the fonts of its style sheets, as a browser gets them of a build, else compressed by gzip as far as that makes
 * them smaller; cached for good after the first visit.
 */
export async function pageWeight(app: Application): Promise<Finding[]> {
  if (!app.kernel.has("assets")) return [];
  const assets = app.kernel.service("assets");
  const page = String((await app.answer(visit)).body);
  const urls = new Set([...page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, url]) => url!));
  const files = [...urls].flatMap((url) => {
    const sent = assets.respond(url, { "accept-encoding": "br, gzip" });
    if (!sent) return [];
    const { body, headers } = sent;
    const bytes = headers["content-encoding"] ? body.length : Math.min(body.length, gzipSync(body).length);
    const name = url.replace(/^\/assets\/(.*)-[\w-]{12}(\.\w+)$/, "$1$2");
    return [{ name, kilobytes: bytes / 1000 }];
  });
  if (files.length === 0) return [];
  files.sort((one, other) => other.kilobytes - one.kilobytes);
  const total = files.reduce((sum, { kilobytes }) => sum + kilobytes, 0);
  const listed = files.map(({ name, kilobytes }) => `${name} ${kilobytes.toFixed(kilobytes < 10 ? 1 : 0)}`);
  return [{ what: "weight of a page", ok: true, detail: `${total.toFixed(0)} kB compressed: ${listed.join(", ")}` }];
}
