import { deleteWebhook, readWebhook, saveWebhook, testWebhook, type Webhook } from '@carrel/api'
import { Badge, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { query, useChange } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useProblem, useProblemText } from '../../text/problem-text.ts'
import { useTimeText } from '../../text/time-text.ts'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { Text } from '../../ui/layout/layout.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import { ServerWords } from '../../ui/state/server-words.tsx'
import { toast } from '../../ui/state/toasts.tsx'

interface WebhookRowProps {
  readonly webhook: Webhook
  readonly onChange: () => void
}

export const WebhookRow = ({ webhook, onChange }: WebhookRowProps): ReactNode => {
  const { t } = useTranslation('account')
  const [isConfirming, setConfirming] = useState(false)
  const problemOf = useProblem()
  const { url, active, failures, lastProblem } = webhook
  const remove = useChange(deleteWebhook, {
    invalidates: [readWebhook],
    onDone: () => toast({ text: t('webhook.removed') }),
  })
  const switchTo = useSwitch(url)
  return (
    <RowList label={t('webhook.title')}>
      <ListRow
        icon="upload"
        title={<span dir="ltr">{url}</span>}
        mark={
          active ? null : (
            <Badge color="gray" ml="xs">
              {t('webhook.off')}
            </Badge>
          )
        }
        text={useHowItWent(webhook)}
        actions={
          <>
            <TestButton webhook={webhook} />
            <ActionMenu
              label={t('webhook.more')}
              link={AppLink}
              actions={[
                { key: 'change', icon: 'edit', label: t('webhook.change'), run: onChange },
                {
                  key: 'switch',
                  icon: active ? 'lock' : 'check',
                  label: t(active ? 'webhook.switchOff' : 'webhook.switchOn'),
                  run: () => switchTo(!active),
                },
                { key: 'remove', icon: 'trash', label: t('webhook.remove'), run: () => setConfirming(true) },
              ]}
            />
          </>
        }
      >
        {failures === 0 || lastProblem === null ? null : <ServerWords text={lastProblem} />}
      </ListRow>
      <Confirm
        title={t('webhook.remove')}
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        action={t('webhook.remove')}
        onConfirm={() => remove.mutate({})}
        isPending={remove.isPending}
        problem={problemOf(remove.error)}
      >
        <Text>{t('webhook.removeText')}</Text>
      </Confirm>
    </RowList>
  )
}

const useSwitch = (url: string): ((active: boolean) => void) => {
  const { t } = useTranslation('account')
  const textOf = useProblemText()
  const { mutate } = useChange(saveWebhook, { invalidates: [readWebhook] })
  const onError = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  return (active) =>
    mutate(
      { body: { url, active } },
      {
        onSuccess: () =>
          toast({
            text: t(active ? 'webhook.isOn' : 'webhook.isOff'),
            undo: () => mutate({ body: { url, active: !active } }, { onError }),
          }),
        onError,
      },
    )
}

const useHowItWent = ({ lastDeliveredAt, lastFailedAt, failures }: Webhook): string => {
  const { t } = useTranslation('account')
  const { ago } = useTimeText()
  if (failures > 0 && lastFailedAt !== null) {
    return t('webhook.failed', { when: ago(lastFailedAt), count: failures })
  }
  return lastDeliveredAt === null ? t('webhook.never') : t('webhook.delivered', { when: ago(lastDeliveredAt) })
}

const pollMs = 1000
const patienceMs = 30_000

const stateOf = ({ lastDeliveredAt, lastFailedAt }: Webhook): string => `${lastDeliveredAt} ${lastFailedAt}`

/** No event says how a test went: so the webhook is read again until it contains the result, for half a minute. */
const TestButton = ({ webhook }: { readonly webhook: Webhook }): ReactNode => {
  const { t } = useTranslation('account')
  const textOf = useProblemText()
  const [sent, setSent] = useState<{ readonly before: string; readonly at: number }>()
  const isThere = (now: Webhook | undefined): boolean =>
    sent === undefined || now === undefined || stateOf(now) !== sent.before
  useQuery({
    ...query(readWebhook, {}),
    refetchInterval: ({ state: { data, dataUpdatedAt } }) =>
      isThere(data?.body) || dataUpdatedAt - (sent?.at ?? 0) > patienceMs ? false : pollMs,
  })
  const test = useChange(testWebhook)
  const start = (): void =>
    test.mutate(
      {},
      {
        onSuccess: () => setSent({ before: stateOf(webhook), at: Date.now() }),
        onError: (error) => toast({ kind: 'problem', text: textOf(error) }),
      },
    )
  return (
    <Button variant="default" size="compact-md" disabled={!webhook.active} loading={test.isPending} onClick={start}>
      {t('webhook.test')}
    </Button>
  )
}
