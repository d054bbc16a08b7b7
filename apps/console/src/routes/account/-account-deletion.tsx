import { Button, Group } from "@mantine/core";
import { signInUrl } from "@purser/client/auth";
import { useState } from "react";
import { baseUrl } from "../../data/base-url.ts";
import { auth } from "../../data/purser.ts";
import { PasswordForm } from "./-password-form.tsx";
import { Section } from "./-section.tsx";

export function AccountDeletion() {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Section
      title="Delete your account"
      about="You leave all organizations, and the cards that you hold are frozen. This cannot be undone, and is not possible while you are the creator or the only owner of an organization."
    >
      {isAsking ? (
        <PasswordForm
          action="Delete my account"
          isRisky
          send={(password) => auth.deleteUser({ password })}
          onDone={() => location.assign(signInUrl(baseUrl))}
          onCancel={() => setIsAsking(false)}
        />
      ) : (
        <Group justify="flex-end">
          <Button variant="light" color="red" onClick={() => setIsAsking(true)}>
            Delete the account
          </Button>
        </Group>
      )}
    </Section>
  );
}
