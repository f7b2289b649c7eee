import { createHash, timingSafeEqual } from "node:crypto";
import { AuthenticatedBy, type Mixin, type RequestContext } from "framewright";
import { checkOptions, definePlugin, option, type Plugin } from "framewright/kernel";

/** Options of `headerAuth()`. */
export interface HeaderAuthOptions {
  /** What the proxy proves by that it is the proxy: the value of X-Proxy-Secret, 32 characters at least. */
  secret: string;
  /** The account of a name; undefined where there is none. */
  find(name: string, request: RequestContext): object | undefined | Promise<object | undefined>;
  /** The header that has the name; X-Forwarded-User by default. */
  header?: string;
  /** The address at which people sign in to the proxy, for those who asked for a page. */
  signIn?: string;
}

/** The concern of a portal: `concern(Base, PortalController, HeaderAuth<Person>())`, whose `currentUser` is a Person. */
export const HeaderAuth = <User extends object>(): Mixin<{ currentUser: User }> => AuthenticatedBy<User>("header");

/** The mode "header": a proxy in front has signed people in, and names them in a header. */
export function headerAuth({ secret, find, header = "x-forwarded-user", signIn }: HeaderAuthOptions): Plugin {
  const longSecret = { expected: "32 characters at least", check: (value: unknown) => String(value).length >= 32 };
  const callable = { expected: "a function", check: (value: unknown) => typeof value === "function" };
  checkOptions(
    "fw-auth-header",
    { secret, header, find, signIn },
    {
      secret: longSecret,
      header: option.string,
      find: callable,
      signIn: option.string,
    },
  );
  return definePlugin({
    name: "fw-auth-header",
    requires: ["host"],
    apply({ services }) {
      services.host.authModes.add("header", {
        find(request) {
          if (!isEqual(request.singleHeader("x-proxy-secret"), secret)) return null;
          const name = request.singleHeader(header);
          return name === undefined ? null : find(name, request);
        },
        challenge: "Proxy",
        ...(signIn === undefined ? {} : { signIn: () => signIn }),
      });
    },
  });
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
/** Takes as long for a wrong secret as for the right one. */
const isEqual = (given: string | undefined, secret: string): boolean =>
  given !== undefined && timingSafeEqual(digest(given), digest(secret));
