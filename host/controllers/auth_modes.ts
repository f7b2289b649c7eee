import { describe, type FramewrightError, type KernelHooks, Registry, type RegistryOptions } from "framewright/kernel";
import { errors, unauthorized } from "../errors.ts";
import { type Reply, redirectReply } from "../http/reply.ts";
import type { RequestContext } from "../http/request.ts";
import type { Authentication, Guests } from "./authentication.ts";

/** The account of a request, or null or undefined for a guest. */
export type FindAccount = (
  request: RequestContext,
  authentication: Authentication,
) => object | null | undefined | Promise<object | null | undefined>;

/** A mode of authentication. */
export interface AuthMode {
  /** Whether controllers of this mode answer guests, where they do not state it themselves; "refuse" by default. */
  guests?: Guests;
  /**
   * Finds the account of a request to a controller of this mode: undefined or null where the credentials are absent, wrong,
   * damaged or given twice (`request.singleHeader`). It keeps nothing of a request for the next one, and compares secrets in a
   * time that does not depend on them. It is called after all taps of `hooks.kernel.authenticate`, and only where none of them
   * answered. What it throws is 500, or the error's `status`. `framewright/conformance/auth_modes` tests a mode.
   */
  find?: FindAccount;
  /**
   * Whether it knows people by cookies of the framework (`request.setCookie`, the session) and `Authorization` alone, or nobody at
   * all: what it answers guests may be kept by caches then, where a portal allows it; false by default.
   */
  byCookies?: boolean;
  /** The challenge of `WWW-Authenticate` in a 401; "Bearer" by default. */
  challenge?: string | ((request: RequestContext) => string);
  /** The address at which a guest who requested a page signs in; undefined, as by default, for the page of the 401. */
  signIn?: (request: RequestContext) => string | undefined;
}

type AuthenticateHook = KernelHooks["authenticate"];

/** After every tap: what is registered before a mode answers first. */
const FIND_STAGE = 1000;

/** The modes of authentication that plugins provide: how each finds accounts, and whether it admits guests. */
export class AuthModes {
  readonly #modes: Registry<AuthMode>;
  readonly #registrant: () => string | undefined;
  readonly #hook: () => AuthenticateHook | undefined;
  /** How many taps of the hook are those of `find`, by plugin. */
  readonly #finds = new Map<string, number>();

  constructor(
    registrant: () => string | undefined = () => undefined,
    hook: () => AuthenticateHook | undefined = () => undefined,
  ) {
    this.#registrant = registrant;
    this.#hook = hook;
    this.#modes = new Registry("the mode of authentication", registrant);
  }

  /**
   * Registers a mode: `authModes.add("badge", { find: (request) => people.get(request.singleHeader("x-badge")) })`.
   * @throws FW_REGISTRY_TAKEN when another plugin has it, and could answer in its place; FW_AUTH_MODE_OPTION;
   * FW_REGISTERED_LATE outside of `apply`
   */
  add(name: string, { replace = false, ...mode }: AuthMode & RegistryOptions = {}): void {
    const plugin = this.#registrant();
    if (plugin === undefined) throw errors.FW_REGISTERED_LATE("host.authModes.add");
    checkMode(plugin, name, mode);
    this.#modes.add(name, mode, { replace });
    const { find } = mode;
    if (!find) return;
    this.#finds.set(plugin, (this.#finds.get(plugin) ?? 0) + 1);
    const found = (request: RequestContext) => {
      const { authentication } = request;
      if (authentication?.mode !== name || this.#modes.get(name) !== mode) return undefined;
      const account = find(request, authentication);
      return account instanceof Promise ? account.then((one) => one ?? null) : (account ?? null);
    };
    this.#hook()?.tapPromise(
      { name: plugin, stage: FIND_STAGE },
      found as Parameters<AuthenticateHook["tapPromise"]>[1],
    );
  }
  has(name: string): boolean {
    return this.#modes.has(name);
  }
  admitsGuests(name: string): boolean {
    return this.#modes.get(name)?.guests === "admit";
  }

  isByCookies(name: string): boolean {
    return this.#modes.get(name)?.byCookies === true;
  }
  /** Whether anything but the modes may find accounts. */
  get hasOthers(): boolean {
    const finds = [...this.#finds.values()].reduce((sum, count) => sum + count, 0);
    return (this.#hook()?.taps.length ?? 0) > finds;
  }

  /** Refuses a mode that nothing answers for: every request would be a guest. @throws FW_AUTH_MODE_EMPTY */
  checkAnswered(): void {
    const taps = this.#hook()?.taps ?? [];
    for (const [name, { find }] of this.#modes.entries()) {
      const owner = this.#modes.ownerOf(name)!;
      const own = taps.filter((tap) => tap.name === owner).length - (this.#finds.get(owner) ?? 0);
      if (!find && own <= 0) throw errors.FW_AUTH_MODE_EMPTY(owner, name);
    }
  }

  /**
   * What a guest gets who is not admitted: the address of the sign-in, where the mode has one and a page was requested.
   * @throws HttpError 401 with `WWW-Authenticate`
   */
  refusal(request: RequestContext, authentication: Authentication | undefined): Reply {
    const { signIn, challenge } = (authentication && this.#modes.get(authentication.mode)) ?? {};
    const name = authentication?.mode ?? "";
    const isPage = request.format === "html" && !(request.isJson && request.method !== "GET");
    const address = isPage ? signIn?.(request) : undefined;
    if (address !== undefined) return redirectReply(checkedLocation(address, this.#mistake("signIn", name)));
    const given = authentication?.challenge ?? (typeof challenge === "function" ? challenge(request) : challenge);
    throw unauthorized(given === undefined ? undefined : checkedHeader(given, this.#mistake("challenge", name)));
  }

  #mistake(option: string, name: string): (got: string) => FramewrightError {
    return (got) => errors.FW_AUTH_MODE_ANSWER(this.#modes.ownerOf(name) ?? "the application", name, option, got);
  }
}

const names = ["guests", "find", "byCookies", "challenge", "signIn"];

/** A misspelt `find` would leave the mode to others. @throws FW_AUTH_MODE_OPTION */
function checkMode(plugin: string, name: string, mode: AuthMode): void {
  const refuse = (problem: string) => errors.FW_AUTH_MODE_OPTION(plugin, name, problem);
  const { guests, find, byCookies = false, challenge, signIn } = mode;
  const unknown = Object.keys(mode).find((key) => !names.includes(key));
  if (unknown !== undefined) throw refuse(`there is no option "${unknown}"; there are ${names.join(", ")}`);
  if (!["admit", "refuse", undefined].includes(guests)) throw refuse('"guests" is neither "admit" nor "refuse"');
  for (const [key, value] of Object.entries({ find, signIn }))
    if (value !== undefined && typeof value !== "function") throw refuse(`"${key}" is ${describe(value)}, no function`);
  if (typeof byCookies !== "boolean") throw refuse(`"byCookies" is ${describe(byCookies)}, neither true nor false`);
  if (challenge !== undefined && typeof challenge !== "function")
    checkedHeader(challenge, (got) => refuse(`"challenge" is ${got}`));
}

type Mistake = (got: string) => FramewrightError;

function checkedHeader(given: unknown, mistake: Mistake): string {
  if (typeof given === "string" && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(given)) return given;
  throw mistake(typeof given === "string" ? "no text of a header" : describe(given));
}

/** A path of this application, or the sign-in of another site that the mode names. */
function checkedLocation(given: unknown, mistake: Mistake): string {
  if (typeof given === "string" && /^(?:https?:\/\/[\w[]|\/(?![/\\]))[\x21-\x5b\x5d-\x7e]*$/.test(given)) return given;
  if (given === "/") return given;
  throw mistake(typeof given === "string" ? "no address" : describe(given));
}
