import { Button, ButtonRow } from "~/components/button";
import { Container } from "~/components/container";
import { Dialog } from "~/components/dialog";
import { RadioCards } from "~/components/fields/radio-cards";
import { SearchField } from "~/components/fields/search-field";
import { ScriptedCombobox } from "~/components/fields/select-field";
import { TreeChoice } from "~/components/fields/tree-choice";
import type { FindMatches } from "~/components/fields/use-matches";
import { PageHeader } from "~/components/page-header";
import { type Context, GalleryTopBar } from "./gallery-frame";

/** Texts that the page searched for. When a request is aborted, its text is added again with a minus. */
declare global {
  interface Window {
    searches?: string[];
  }
}

/** A search that takes 300 ms, as on a server, and fails for texts with "!". */
function searchIn(names: readonly string[], max: number): FindMatches<string> {
  return async (query, signal) => {
    window.searches ??= [];
    const { searches } = window;
    searches.push(query);
    const onAbort = () => searches.push(`-${query}`);
    signal.addEventListener("abort", onAbort);
    await new Promise((resolve) => setTimeout(resolve, 300));
    signal.removeEventListener("abort", onAbort);
    if (query.includes("!")) throw new Error("The connection is lost");
    const matches = names.filter((name) => name.toLowerCase().includes(query.toLowerCase()));
    return { options: matches.slice(0, max), hasMore: matches.length > max };
  };
}

const productNames = (c: Context) => [
  c.say("青い茶碗", "Blue bowl"),
  c.say("赤い茶碗", "Red bowl"),
  c.say("藍の手ぬぐい", "Indigo towel"),
  c.say("大きい茶碗", "Large bowl"),
];

const pickedNames: string[] = [];

function Search({ c }: { c: Context }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the form is the search, as in the product
    <form method="get" role="search" className="grid gap-3">
      <input type="hidden" name="lang" value={c.lang} />
      <SearchField
        name="find"
        label={c.say("商品", "Products")}
        placeholder={c.say("商品名で検索", "Search products")}
        hint={c.say("名前の一部で探せます。", "Find them by a part of the name.")}
        find={searchIn(productNames(c), 2)}
        toOption={(name: string) => ({ key: name, content: name, isDisabled: pickedNames.includes(name) })}
        onPick={(name: string) => {
          pickedNames.push(name);
          return c.say(`${name}を追加しました`, `${name} was added`);
        }}
        emptyText={(text) => c.say(`「${text}」は見つかりません。`, `No results for “${text}”.`)}
        showAllLabel={c.say("すべて表示", "Show all")}
      >
        <Button type="submit">{c.say("検索", "Search")}</Button>
      </SearchField>
    </form>
  );
}

function MoveForm({ c }: { c: Context }) {
  const currentSpace = { value: "here", label: c.say("本館", "Main hall") };
  const choice = {
    name: "spaceId",
    label: c.say("コピー先のスペース", "Copy to space"),
    required: true,
    defaultValue: "here",
  };
  const findMatches = searchIn([c.say("別館", "Annex"), c.say("新館", "New annex")], 20);
  return (
    <form method="post" className="grid gap-6">
      <TreeChoice
        name="folderId"
        label={c.say("移動先のフォルダー", "Move to folder")}
        placeholder={c.say("フォルダー名で検索", "Find a folder by name")}
        required
        options={[
          {
            value: "root",
            label: c.say("スペース一覧", "Spaces"),
            depth: 0,
            disabledReason: c.say("現在", "Current"),
          },
          { value: "2025", label: "2025", depth: 1 },
          { value: "spring25", label: c.say("春", "Spring"), depth: 2 },
          { value: "2026", label: "2026", depth: 1 },
          { value: "spring26", label: c.say("春", "Spring"), depth: 2 },
        ]}
      />
      <ScriptedCombobox
        {...choice}
        options={[currentSpace]}
        find={async (query, signal) => {
          const { options, hasMore } = await findMatches(query, signal);
          return { options: options.map((label) => ({ value: label, label })), hasMore };
        }}
      >
        <RadioCards {...choice} options={[currentSpace]} />
      </ScriptedCombobox>
      <ButtonRow>
        <Button variant="primary" type="submit">
          {c.say("移動", "Move")}
        </Button>
      </ButtonRow>
    </form>
  );
}

/** Page with a search, and with a form of pickers below it or in a dialog. */
export function PickersPage({ c, inDialog = false }: { c: Context; inDialog?: boolean }) {
  return (
    <>
      <GalleryTopBar c={c} tone="white" title={c.say("選ぶ", "Choose")} />
      <Container as="main" id="main" width="form" className="grid gap-8">
        <PageHeader title={c.say("選ぶ", "Choose")} />
        <Search c={c} />
        {!inDialog && <MoveForm c={c} />}
        <p>{c.say("この行は動きません。", "This line does not move.")}</p>
      </Container>
      {inDialog && (
        <Dialog title={c.say("移動", "Move")} closeHref="/pickers" size="small">
          <MoveForm c={c} />
        </Dialog>
      )}
    </>
  );
}
