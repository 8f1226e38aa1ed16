import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { Container } from "~/components/container";
import type { Translate } from "~/i18n/messages";
import { readBreadcrumbs } from "../../folders/dialogs/item-page.server";
import type { RouteHandle } from "../../shared/handle";
import { namedTitle } from "../../shared/title";
import { uuidParam } from "../../shared/uuid-param";
import { Activity } from "./activity";
import { Audience } from "./audience";
import { readActivity, readSharing, toSpacePage } from "./read.server";
import { SpaceHeader } from "./space-header";
import { SpaceSettings } from "./space-settings";

export async function loader({ params, context }: LoaderFunctionArgs) {
  const { actor, user } = await context.session.require();
  const spaceId = uuidParam(params.spaceUuid);
  const space = await context.services.spaces.getSpace({ actor, spaceId });
  const spaceContext = { context, actor, space };
  const [crumbs, sharing, activity] = await Promise.all([
    readBreadcrumbs({ context, actor, folderType: "space", item: space }),
    readSharing(spaceContext),
    readActivity(spaceContext),
  ]);
  return {
    title: namedTitle(context, space.name),
    timeZone: user.timeZone,
    crumbs,
    sharing,
    activity,
    space: toSpacePage(actor, space),
  };
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = {
  i18n: ["events", "folders", "shared-owners", "spaces"],
  topBar: (_data, t: Translate) => ({ title: t("shared-owners:shell.spaceDetail") }),
};

export default function SpaceSettingsPage() {
  const { space, crumbs, sharing, activity, timeZone } = useLoaderData<typeof loader>();
  return (
    <Container as="main" id="main" className="grid grid-cols-1 gap-6 py-6">
      <SpaceHeader space={space} crumbs={crumbs} tab="settings" sharing={sharing} />
      <div id="panel" tabIndex={-1} className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <SpaceSettings space={space} timeZone={timeZone} />
        <aside className="grid content-start gap-6">
          <Audience isOwn={space.isOwn} sharing={sharing} />
          <Activity {...activity} timeZone={timeZone} />
        </aside>
      </div>
    </Container>
  );
}
