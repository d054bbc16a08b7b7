import { useEffect, useRef, useState } from "react";
import { useUnsavedText } from "./unsaved.ts";

/**
 * A text that a person writes in place. Call `save` when they leave its field. What is not saved then, it saves when the
 * field goes: a dialog closes with Escape, or the browser goes back, without the field losing the focus before.
 *
 * The field follows its source, unless it has a text that is not saved. That stays when another user changes the source
 * meanwhile, and when `onSave` rejects. It is then saved when the field is left again.
 */
export function useSavedText(source: string, onSave: (text: string) => Promise<unknown>) {
  const [unsaved, setUnsaved] = useState<string>();
  const [hasFailed, setHasFailed] = useState(false);
  useUnsavedText(unsaved !== undefined, hasFailed);
  const text = unsaved ?? source;
  // What is on its way to the service.
  const sent = useRef<string>(undefined);
  const write = (written: string) => setUnsaved(written === source ? undefined : written);
  const follow = (saved: string) => setUnsaved((now) => (now?.trim() === saved ? undefined : now));
  const save = (written: string = text) => {
    const trimmed = written.trim();
    if (trimmed === sent.current) return;
    if (trimmed === source && sent.current === undefined) {
      follow(trimmed);
      return;
    }
    sent.current = trimmed;
    const end = (isSaved: boolean) => {
      if (sent.current === trimmed) sent.current = undefined;
      setHasFailed(!isSaved);
      if (isSaved) follow(trimmed);
    };
    onSave(trimmed).then(
      () => end(true),
      () => end(false),
    );
  };
  const latest = useRef(save);
  useEffect(() => {
    latest.current = save;
  });
  useEffect(() => () => latest.current(), []);
  return { text, write, save };
}
