import { createHash, randomBytes } from "node:crypto";
import { openSealer, type RequestContext, Session, type SessionData } from "framewright/host";
import type { Settings } from "framewright/kernel";
import type { Sessions } from "framewright/plugins/sessions";
import type { Redis, RedisClient } from "./contract.ts";

/** A stored session: its data, its start and its last write, in milliseconds since 1970. */
interface Stored {
  data: SessionData;
  startedAt: number;
  seenAt: number;
}
interface Found extends Stored {
  token: string;
}
/** Milliseconds. */
interface Lifetimes {
  idle: number;
  absolute: number;
}

const TOKEN = /^[\w-]{43}$/;
/** Redis has digests alone: a reader of it can't come in with them. */
const digestOf = (token: string): string => createHash("sha256").update(token).digest("hex");

/** Sessions as values in Redis, encrypted; the cookie has a random token. */
export function redisSessions(redis: Redis, settings: Settings, { idle, absolute }: Lifetimes): Sessions {
  const sealer = openSealer(settings.secrets, "redis sessions");
  const name = `${settings.cookies.prefix}fw_sid`;
  const attributes = `; Max-Age=${Math.floor(absolute / 1000)}; Path=${settings.cookies.path}; HttpOnly${settings.secureCookies ? "; Secure" : ""}; SameSite=Lax`;
  const found = new WeakMap<Session, Found>();
  const keyOf = (token: string) => redis.key(`session:${digestOf(token)}`);

  const read = async ({ cookies }: RequestContext): Promise<Found | undefined> => {
    const token = cookies[name];
    if (token === undefined || !TOKEN.test(token)) return undefined;
    const sealed = await redis.run((client) => client.get(keyOf(token)), { isRepeatable: true });
    const text = sealed === null ? undefined : sealer.open(sealed, digestOf(token));
    return text === undefined ? undefined : { ...(JSON.parse(text) as Stored), token };
  };
  return {
    cookieNames: [name],
    async open(request) {
      const stored = await read(request);
      const session = new Session(() => stored && structuredClone(stored.data));
      if (!stored) return session;
      found.set(session, stored);
      if (Date.now() - stored.seenAt > idle / 20 && !request.isUnattended) session.touch(); // an active session must not expire as idle
      return session;
    },
    async save(session) {
      const former = found.get(session);
      const data = session.toJSON();
      const isSame = former !== undefined && former.data.id === data.id;
      // Another id than before: a sign-in. Whoever knew the token of before must not come in with it.
      const token = isSame ? former.token : randomBytes(32).toString("base64url");
      const now = Date.now();
      const startedAt = former?.startedAt ?? now;
      const lifetime = Math.min(idle, startedAt + absolute - now);
      const text = sealer.seal(JSON.stringify({ data, startedAt, seenAt: now }), digestOf(token));
      const write = async (client: RedisClient) => {
        const commands = client.multi();
        if (lifetime > 0) commands.set(keyOf(token), text, "PX", lifetime);
        if (former && !isSame) commands.del(keyOf(former.token));
        await commands.exec();
      };
      await redis.run(write, { isRepeatable: true });
      return `${name}=${token}${attributes}`;
    },
  };
}
