import { definePlugins } from "framewright/kernel";
import { assets } from "framewright/plugins/assets";
import { database } from "framewright/plugins/database";
import { i18n } from "framewright/plugins/i18n";
import { layout } from "framewright/plugins/layout";
import { portals } from "framewright/plugins/portals";
import { resources } from "framewright/plugins/resources";
import { sessions } from "framewright/plugins/sessions";
import { views } from "framewright/plugins/views";

export default definePlugins([database(), i18n(), sessions(), views(), assets(), layout(), portals(), resources()]);
