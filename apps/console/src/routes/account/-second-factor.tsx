import { Badge, Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { useAction } from "../../data/action.tsx";
import { accountQueries } from "../../data/account.ts";
import { auth, queries } from "../../data/purser.ts";
import { useUnstoredSecret } from "../../data/unsaved.ts";
import { AuthenticatorSetup, BackupCodes } from "./-authenticator-setup.tsx";
import { PasswordForm } from "./-password-form.tsx";
import { Section } from "./-section.tsx";

/** What the person is about to do, each of which asks for the password first. */
type Step = "enable" | "renewCodes" | "disable";

export function SecondFactor({ isOn }: { isOn: boolean }) {
  const [step, setStep] = useState<Step>();
  const title = "Two-factor sign-in";
  const about = isOn
    ? "A sign-in asks for a code from your authenticator app."
    : "A sign-in asks for your password only. Add a code from an authenticator app.";
  const done = () => setStep(undefined);
  return (
    <Section title={title} about={about}>
      {step === "enable" ? (
        <Enabling onEnd={done} />
      ) : step === "renewCodes" ? (
        <RenewingCodes onEnd={done} />
      ) : step === "disable" ? (
        <Disabling onEnd={done} />
      ) : isOn ? (
        <Group justify="space-between">
          <Badge color="green" variant="light" tt="none">
            On
          </Badge>
          <Group gap="xs">
            <Button variant="default" onClick={() => setStep("renewCodes")}>
              New backup codes
            </Button>
            <Button variant="light" color="red" onClick={() => setStep("disable")}>
              Switch it off
            </Button>
          </Group>
        </Group>
      ) : (
        <Group justify="flex-end">
          <Button onClick={() => setStep("enable")}>Set it up</Button>
        </Group>
      )}
    </Section>
  );
}

const stale = [queries.me.get, accountQueries.session, accountQueries.sessions];

/** The password, then what the authenticator scans, then its first code. */
function Enabling({ onEnd }: { onEnd: () => void }) {
  const [setup, setSetup] = useState<{ totpURI: string; backupCodes: string[] }>();
  const verify = useAction((code: string) => auth.twoFactor.verifyTotp({ code }), {
    done: "Two-factor sign-in is on",
    invalidates: stale,
    onDone: onEnd,
  });
  if (setup === undefined) {
    return (
      <PasswordForm
        action="Continue"
        send={(password) => auth.twoFactor.enable({ password })}
        onDone={setSetup}
        onCancel={onEnd}
      />
    );
  }
  return (
    <AuthenticatorSetup
      {...setup}
      isPending={verify.isPending}
      onCode={(code) => verify.mutate(code)}
      onCancel={onEnd}
    />
  );
}

function RenewingCodes({ onEnd }: { onEnd: () => void }) {
  const [codes, setCodes] = useState<string[]>();
  useUnstoredSecret(codes !== undefined);
  if (codes === undefined) {
    return (
      <PasswordForm
        action="Make new backup codes"
        isForSecret
        send={(password) => auth.twoFactor.generateBackupCodes({ password })}
        onDone={({ backupCodes }) => setCodes(backupCodes)}
        onCancel={onEnd}
      />
    );
  }
  return (
    <Stack>
      <BackupCodes codes={codes} />
      <Group justify="flex-end">
        <Button onClick={onEnd}>I have stored them</Button>
      </Group>
    </Stack>
  );
}

function Disabling({ onEnd }: { onEnd: () => void }) {
  return (
    <PasswordForm
      action="Switch it off"
      isRisky
      done="Two-factor sign-in is off"
      invalidates={stale}
      send={(password) => auth.twoFactor.disable({ password })}
      onDone={onEnd}
      onCancel={onEnd}
    />
  );
}
