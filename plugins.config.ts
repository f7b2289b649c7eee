import { definePlugins } from "framewright";
import { assets } from "framewright/plugins/assets";
import { database } from "framewright/plugins/database";
import { i18n } from "framewright/plugins/i18n";
import { layout } from "framewright/plugins/layout";
import { portals } from "framewright/plugins/portals";
import { resources } from "framewright/plugins/resources";
import { scoping } from "framewright/plugins/scoping";
import { sessions } from "framewright/plugins/sessions";
import { views } from "framewright/plugins/views";

/** What this application is made of. A line left out is a capability left out. */
export default definePlugins([
  database(),
  i18n(),
  sessions(),
  views(),
  layout(),
  assets(),
  portals(),
  resources(),
  scoping(),
]);
