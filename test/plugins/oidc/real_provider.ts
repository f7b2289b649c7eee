import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

/** A provider of OpenID Connect on loopback, with its pages: whatever name is typed there signs in, and the address is made of it. */
export async function openProvider(
  redirects: () => readonly string[],
): Promise<{ issuer: string; close(): Promise<void> }> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let answer: ReturnType<Provider["callback"]> | undefined;
  const open = () =>
    new Provider(issuer, {
      clients: [
        {
          client_id: "shop",
          client_secret: "secret-of-the-shop-at-the-provider",
          redirect_uris: [...redirects()],
          token_endpoint_auth_method: "client_secret_post",
        },
      ],
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
      conformIdTokenClaims: false,
      pkce: { required: () => true },
      findAccount: (_: unknown, id: string) => ({
        accountId: id,
        claims: () => ({ sub: id, email: `${id.toLowerCase()}@acme.test`, email_verified: true, name: id }),
      }),
    }).callback();
  server.on("request", (request, response) => {
    answer ??= open();
    void answer(request, response);
  });
  return {
    issuer,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
