import { useRef } from "react";
import { Icon, isIconName } from "~/components/icon";
import type { Lang } from "~/domain/shared/model";
import { languages } from "~/i18n/languages.server";
import { I18nextProvider } from "~/i18n/translation";
import {
  type Pin,
  type PlacedMediaItem,
  readViewerLink,
  useAccessibleList,
  Viewer,
  type ViewerSource,
} from "~/viewer/Viewer";

/** Input from which the server and the browser render the page. */
export interface PageInput {
  readonly lang: Lang;
  readonly source: ViewerSource;
  readonly pins: readonly Pin[];
  readonly media: readonly PlacedMediaItem[];
  readonly search: string;
  readonly autoStart: boolean;
}

/** A minimal visitor page: the stage and the accessible list. */
export function StagePage({ input }: { readonly input: PageInput }) {
  return (
    <I18nextProvider i18n={languages[input.lang].i18n}>
      <Visit input={input} />
    </I18nextProvider>
  );
}

function Visit({ input }: { readonly input: PageInput }) {
  const link = readViewerLink(new URLSearchParams(input.search));
  const accessibleList = useAccessibleList(
    input.pins.map(({ id }) => id),
    link.tagId,
  );
  const viewerElement = useRef<HTMLDivElement>(null);
  return (
    <div
      ref={viewerElement}
      className="grid h-dvh grid-rows-[60%_40%] lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-1"
    >
      <Viewer
        source={input.source}
        poster="/poster.jpg"
        title="Two rooms"
        pins={input.pins}
        media={input.media}
        openPinId={accessibleList.openPinId}
        onOpenPin={accessibleList.openPin}
        focusedPinId={accessibleList.focusedPinId}
        initialViewpoint={link.viewpoint}
        autoStart={input.autoStart}
        fullscreenTarget={viewerElement}
        icon={(name) => <Icon name={isIconName(name) ? name : "info"} />}
      />
      <main className="overflow-auto p-4">
        <h1 className="text-lg font-semibold">Two rooms</h1>
        <ol>
          {input.pins.map((pin) => {
            const { id, ...focus } = accessibleList.entry(pin.id);
            return (
              <li key={pin.id} id={id} {...focus}>
                <a
                  href={`#${id}`}
                  aria-current={accessibleList.openPinId === pin.id}
                  className="inline-flex min-h-10 items-center"
                >
                  {pin.label}
                </a>
              </li>
            );
          })}
        </ol>
      </main>
    </div>
  );
}
