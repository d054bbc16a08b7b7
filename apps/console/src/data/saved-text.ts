import { useEffect, useRef, useState } from "react";

/**
 * A text that a person writes in place. Call `save` when they leave its field. What is not saved then, it saves when the
 * field goes: a dialog closes with Escape, or the browser goes back, without the field losing the focus before.
 */
export function useSavedText(source: string, onSave: (text: string) => void) {
  const [text, write] = useState(source);
  // The text that the service has, or is about to have.
  const sent = useRef(source);
  useEffect(() => {
    const before = sent.current;
    sent.current = source;
    // What a person is writing stays, when somebody else changes the text meanwhile.
    write((written) => (written.trim() === before ? source : written));
  }, [source]);
  const save = (written: string = text) => {
    const trimmed = written.trim();
    if (trimmed === sent.current) return;
    sent.current = trimmed;
    onSave(trimmed);
  };
  const latest = useRef(save);
  useEffect(() => {
    latest.current = save;
  });
  useEffect(() => () => latest.current(), []);
  return { text, write, save };
}
