import { BaseController, type ControllerClass, csrfInput, type Reply, raw, type SafeHtml } from "framewright/host";
import type { PluginKernel } from "framewright/kernel";

const PATH = "_locale";

/** A language to choose: "de", called "Deutsch". */
export interface LocaleChoice {
  value: string;
  label: string;
  current: boolean;
}
/** What pages draw the choice of a language from. */
export interface LocaleSwitch {
  url: string;
  /** Empty for a guest of whom nothing is stored: browsers report that the request is from a page of ours. */
  csrf: SafeHtml;
  choices: readonly LocaleChoice[];
}

/** Lets people choose among the locales of the application, by a form on its pages, which need no script for it. */
export function addLocaleSwitch(
  { kernel, host }: PluginKernel<never, "i18n">["hooks"],
  locales: readonly string[],
): void {
  const named = locales.map((value) => ({ value, label: nameOf(value) }));
  kernel.drawRoutes.tap("i18n", (routes) =>
    routes.post(PATH, { controller: LocaleController as ControllerClass, action: "choose", csrf: "origin" }),
  );
  host?.page.tap("i18n", (locals, { request, currentUser }) => {
    if (request.frame !== undefined) return;
    const choices = named.map((one) => ({ ...one, current: one.value === request.locale }));
    const isKept = currentUser !== undefined || request.carriesSession || request.session.changed;
    const url = `${request.settings.basePath}/${PATH}`;
    const csrf = isKept ? csrfInput(request, url) : raw("");
    locals.locale_switch = { url, csrf, choices } satisfies LocaleSwitch;
  });
}

/** A language as those call it who speak it: "Deutsch". */
function nameOf(locale: string): string {
  const name = new Intl.DisplayNames(locale, { type: "language" }).of(locale) ?? locale;
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
}

/** Sets the language of a browser, on any request: it shows nothing that one could not see. */
class LocaleController extends BaseController {
  static readonly access: string = "anyone";
  static override readonly guests = "admit" as const;

  async choose(): Promise<Reply> {
    await this.request.chooseLocale(this.params.string("locale"));
    return this.redirectTo(this.request.referer ?? "/");
  }
}
