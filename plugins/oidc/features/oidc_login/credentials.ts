import type { RequestContext } from "framewright/host";
import type { AccountType, Feature } from "framewright/plugins/authlib";
import type { ClientCredentials } from "../../contract.ts";
import { errors } from "../../errors.ts";
import type { OidcLoginOptions } from "./index.ts";

type Values = Readonly<Record<string, string | undefined>>;

const settingsOf = (name: string) =>
  [`OIDC_${name.toUpperCase()}_CLIENT_ID`, `OIDC_${name.toUpperCase()}_CLIENT_SECRET`] as const;

/** The credentials of a provider by its name; undefined where the settings have none. */
export function credentialsOf(values: Values, name: string): ClientCredentials | undefined {
  const [id, secret] = settingsOf(name).map((setting) => values[setting]);
  return id && secret ? { id, secret } : undefined;
}

/** The providers that people are offered: in development those without credentials are left out. */
export const offered = ({ settings }: RequestContext, { providers }: OidcLoginOptions): string[] =>
  Object.keys(providers).filter((name) => credentialsOf(settings.values, name) !== undefined);

/** @throws FW_OIDC_PROVIDERS, FW_OIDC_PLUGIN, FW_OIDC_CREDENTIALS */
export function checkCredentials(type: AccountType): void {
  const { providers } = (type.features.get("oidc_login") as Feature).options as OidcLoginOptions;
  const names = Object.keys(providers);
  const isExtended = [...type.features.values()].some(({ requires }) => requires.includes("oidc_login"));
  if (names.length === 0 && !isExtended) throw errors.FW_OIDC_PROVIDERS(type.name);
  const { kernel, settings } = type.services.host;
  if (!kernel.has("oidc")) throw errors.FW_OIDC_PLUGIN(type.name);
  if (settings.env !== "production") return;
  for (const name of names)
    if (!credentialsOf(settings.values, name)) throw errors.FW_OIDC_CREDENTIALS(name, settingsOf(name));
}
