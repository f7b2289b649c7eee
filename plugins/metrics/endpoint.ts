import { createHash, timingSafeEqual } from "node:crypto";
import { Reply, type RequestContext } from "framewright/host";

interface EndpointParts {
  readonly path: string;
  /** What a scrape proves itself by; undefined where the port does. */
  readonly token: string | undefined;
  readonly type: string;
  text(): Promise<string>;
}
/** What is read of a request, whichever server got it. */
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
}

/** Answers scrapes of one path. */
export class Endpoint {
  readonly #parts: EndpointParts;

  constructor(parts: EndpointParts) {
    this.#parts = parts;
  }

  /** The reply to a request of the application; undefined where it requests another path. */
  answer(request: RequestContext): Promise<Reply> | undefined {
    const { path, method } = request;
    if (path !== this.#parts.path) return undefined;
    return this.reply({ path, method, authorization: request.singleHeader("authorization") });
  }

  async reply({ method, path, authorization }: Asked): Promise<Reply> {
    const { token, type, text } = this.#parts;
    if (path !== this.#parts.path) return plain(404, "not found");
    if (method !== "GET" && method !== "HEAD") return plain(405, "", { allow: "GET, HEAD" });
    if (token !== undefined && !isEqual(/^bearer (.+)$/i.exec(authorization ?? "")?.[1], token))
      return plain(401, "a token is needed", { "www-authenticate": "Bearer" });
    return plain(200, await text(), { "content-type": type });
  }
}

const plain = (status: number, body: string, headers: Record<string, string> = {}): Reply =>
  new Reply(status, body, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", ...headers });

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
/** Takes as long for a wrong token as for the right one. */
const isEqual = (given: string | undefined, token: string): boolean =>
  given !== undefined && timingSafeEqual(digest(given), digest(token));
