import { assumedZone, raw, type TimeZone } from "framewright/host";
import type { Settings } from "framewright/kernel";
import type { Texts } from "framewright/plugins/i18n";
import type { Views } from "framewright/plugins/views";

export interface Composed {
  html: string | undefined;
  text: string;
}
interface MailTemplate {
  names: readonly string[];
  subject: string;
  locals: Record<string, unknown>;
  locale?: string | undefined;
  timeZone?: TimeZone | undefined;
}

const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
/** Reverts the HTML escaping of values in a text body. One pass, so that nothing is unescaped twice. */
const unescapeHtml = (rendered: string): string =>
  rendered.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!);

/** Renders a mail: its text, and its HTML inside `mailer/layout` if there is an HTML view. */
export function composer(views: Views, texts: Texts, { appUrl, timeZone: zone }: Settings) {
  return ({ names, subject, locals, locale, timeZone = assumedZone(zone) }: MailTemplate): Composed => {
    const application = texts.t("application.name", undefined, locale);
    const all = {
      request: { locale: locale ?? texts.locale, time_zone: timeZone },
      application,
      home_url: appUrl?.href,
      subject,
      ...locals,
    };
    const text = views.render({ names: names.map((name) => `${name}_text`), locals: all });
    const isHtml = names.some((name) => views.exists(undefined, name));
    if (!isHtml) return { html: undefined, text: unescapeHtml(text) };
    const content = raw(views.render({ names, locals: all }));
    return { html: views.render({ names: ["mailer/layout"], locals: { ...all, content } }), text: unescapeHtml(text) };
  };
}
