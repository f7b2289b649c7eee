import { type Changes, defineGenerator, usage } from "framewright/generators";
import { pluralize, underscore } from "framewright/host/inflection";
import { addNamedImports } from "../../../../generators/toolkit/index.ts";
import {
  accountGenerator,
  accountName,
  pluginPathOf,
  writeAccount,
} from "../../../authlib/generators/toolkit/index.ts";

const MODULE = "framewright/plugins/oidc";
const known = ["google", "microsoft"] as const;
const LIST = /\boidcLogin\(\s*\{\s*providers:\s*\{/;

export default defineGenerator({
  name: "fw:authlib:oidc",
  summary: "Let the people of an account type sign in by Google, Microsoft or another provider of OpenID Connect",
  example: "fw generate fw:authlib:oidc user --provider=google",
  args: "<account>",
  options: {
    provider: {
      summary: "google, microsoft, or a name for another one; it stands in the address and in the settings",
      value: "NAME",
    },
    issuer: { summary: "The issuer of another one: https://id.example", value: "URL" },
    label: { summary: "How people read it; made of its name by default", value: "TEXT" },
  },
  directory: accountGenerator.directory, // the account type is written by its templates
  async run(context) {
    const { args, changes, options, note } = context;
    const account = accountName(args[0]!, note);
    const path = pluginPathOf(account);
    if (!changes.exists(path)) throw usage.FW_ACCOUNT_UNKNOWN(account);
    const name = providerName(options.provider);
    const { call, factory } = callOf(name, options);
    const isListed = LIST.test(changes.read(path)!);
    if (isListed) addProvider(changes, path, name, call);
    const code = { oidc_login: `oidcLogin({ providers: { ${name}: ${call} } })` };
    const hasTables = await writeAccount(context, account, {
      ...{ features: ["oidc_login"], code, isApi: false, roles: undefined },
      ...{ model: undefined, views: false },
    });
    addNamedImports(changes, path, [factory], MODULE);
    note(next(account, name, hasTables));
  },
});

/** @throws FW_NAME_INVALID */
function providerName(given: unknown): string {
  const name = underscore(typeof given === "string" ? given : "google");
  if (!/^[a-z][a-z\d_]{0,49}$/.test(name))
    throw usage.FW_NAME_INVALID("a provider", String(given), "use lower-case letters, digits and _");
  return name;
}

/** @throws FW_FLAG_NEEDS */
function callOf(name: string, { issuer, label }: Readonly<Record<string, unknown>>): { call: string; factory: string } {
  const own = known.find((one) => one === name);
  if (own) return { call: `${own}()`, factory: own };
  if (typeof issuer !== "string")
    throw usage.FW_FLAG_NEEDS(`--provider=${name}`, "--issuer", "only google and microsoft are known by name");
  const words = name.replaceAll("_", " ");
  const text = typeof label === "string" ? label : words.charAt(0).toUpperCase() + words.slice(1);
  const call = `provider({ issuer: ${JSON.stringify(issuer)}, label: ${JSON.stringify(text)} })`;
  return { call, factory: "provider" };
}

/** Adds a provider to a list that there is. A name that it has stays as it is. */
function addProvider(changes: Changes, path: string, name: string, call: string): void {
  changes.edit(path, (text) => {
    const [opening] = LIST.exec(text)!;
    const start = text.indexOf(opening);
    const rest = text.slice(start + opening.length);
    return new RegExp(`^[^}]*\\b${name}:`).test(rest)
      ? text
      : `${text.slice(0, start)}${opening} ${name}: ${call},${rest}`;
  });
}

const next = (account: string, name: string, hasTables: boolean): string => `
Register this application at the provider, with the address to return to:
  <APP_URL>/${pluralize(account)}/oidc/${name}/callback
and set what it issues, for development in .env.development:
  OIDC_${name.toUpperCase()}_CLIENT_ID, OIDC_${name.toUpperCase()}_CLIENT_SECRET
Until then the login page leaves it out; production does not start without them.${hasTables ? "\n\nNext:\n  npx fw db:migrate" : ""}`;
