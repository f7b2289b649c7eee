import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";

/** What the next ID token has in place of what belongs there. */
export interface Lie {
  claims?: JWTPayload & Record<string, unknown>;
  /** Signs by none, or by a key that is not published. */
  signs?: "none" | "foreign";
  /** The answer in place of tokens. */
  answer?: { status: number; body: string };
}

/** A provider that says what a test wants: it has no sign-in of its own, and every code is right. */
export class HostileProvider {
  readonly #server: Server;
  #pair!: Awaited<ReturnType<typeof generateKeyPair>>;
  #keyId = "one";
  /** Who signs in. */
  person: Record<string, unknown> = { sub: "s-1", email: "dora@example.com", email_verified: true, name: "Dora" };
  lie: Lie = {};
  /** Of the last authorization request that a test has sent here. */
  nonce = "";
  isAway = false;
  /** The forms that the token endpoint got. */
  readonly grants: URLSearchParams[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }
  static async open(): Promise<HostileProvider> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => void provider.#answer(request.url ?? "", Buffer.concat(chunks).toString(), response));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const provider = new HostileProvider(server);
    await provider.rotate("one");
    return provider;
  }
  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  /** Signs with another key from now on. */
  async rotate(keyId: string): Promise<void> {
    this.#pair = await generateKeyPair("RS256", { extractable: true });
    this.#keyId = keyId;
  }
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
  /** The address that a person's browser is sent back to, for an authorization request. */
  allow(authorization: string, more: Record<string, string> = {}): string {
    const query = new URL(authorization).searchParams;
    this.nonce = query.get("nonce") ?? "";
    const back = new URL(query.get("redirect_uri")!);
    back.search = new URLSearchParams({ code: "right", state: query.get("state")!, ...more }).toString();
    return back.href;
  }

  /** A token that says that sessions have ended. */
  async logoutToken(claims: JWTPayload, lie: Lie = {}): Promise<string> {
    const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
    const before = this.lie;
    this.lie = {
      ...lie,
      claims: { nonce: undefined, exp: undefined, jti: randomUUID(), events, ...claims, ...lie.claims } as never,
    };
    const [person, nonce] = [this.person, this.nonce];
    this.person = {};
    try {
      return await this.#token();
    } finally {
      Object.assign(this, { lie: before, person, nonce });
    }
  }

  async #answer(url: string, body: string, response: import("node:http").ServerResponse): Promise<void> {
    const json = (value: unknown, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (this.isAway) return void response.destroy();
    if (url.startsWith("/.well-known/")) return void json(this.#metadata);
    if (url.startsWith("/authorize?"))
      return void response.writeHead(302, { location: this.allow(this.issuer + url) }).end();
    if (url === "/jwks") return void json({ keys: [await this.#publicKey()] });
    this.grants.push(new URLSearchParams(body));
    const { answer } = this.lie;
    if (answer) return void response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
    json({ access_token: "a", token_type: "Bearer", expires_in: 60, id_token: await this.#token() });
  }
  get #metadata() {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/jwks`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      authorization_response_iss_parameter_supported: false,
    };
  }
  async #publicKey() {
    return { ...(await exportJWK(this.#pair.publicKey)), kid: this.#keyId, alg: "RS256", use: "sig" };
  }
  async #token(): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const honest = { iss: this.issuer, aud: "shop", iat: now, exp: now + 60, nonce: this.nonce };
    const payload = JSON.parse(JSON.stringify({ ...honest, ...this.person, ...this.lie.claims })) as JWTPayload;
    if (this.lie.signs === "none") return new UnsecuredJWT(payload).encode();
    const pair = this.lie.signs === "foreign" ? await generateKeyPair("RS256") : this.#pair;
    return new SignJWT(payload).setProtectedHeader({ alg: "RS256", kid: this.#keyId }).sign(pair.privateKey);
  }
}
