import { raw } from "framewright/host";
import type { Settings } from "framewright/kernel";
import type { Texts } from "framewright/plugins/i18n";
import type { Views } from "framewright/plugins/views";

export interface Composed {
  html: string | undefined;
  text: string;
}
interface Page {
  names: readonly string[];
  subject: string;
  locals: Record<string, unknown>;
}

const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
/** Values were escaped for HTML when they were put in; a text has no markup to protect. One pass: it takes back what was done, once. */
const asText = (rendered: string): string =>
  rendered.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!);

/** Renders a mail: its text, and its HTML inside `mailer/layout` where a view of HTML is there. */
export function composer(views: Views, texts: Texts, { appUrl }: Settings) {
  return ({ names, subject, locals }: Page): Composed => {
    const all = { application: texts.t("application.name"), home_url: appUrl?.href, subject, ...locals };
    const text = views.render({ names: names.map((name) => `${name}_text`), locals: all });
    const isHtml = names.some((name) => views.exists(undefined, name));
    if (!isHtml) return { html: undefined, text: asText(text) };
    const content = raw(views.render({ names, locals: all }));
    return { html: views.render({ names: ["mailer/layout"], locals: { ...all, content } }), text: asText(text) };
  };
}
