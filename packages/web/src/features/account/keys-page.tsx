import { type ApiKeyDto, deleteApiKey, listApiKeys, updateApiKey } from '@carrel/api'
import { Button, Code } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { basePath } from '../../api/base.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { useSayFailure } from '../../text/say-failure.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Copyable } from '../../ui/form/copyable.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import styles from './account.module.css'
import { AccountPage } from './account-page.tsx'
import { KeyDownloads } from './key-downloads.tsx'
import { NewKey } from './new-key.tsx'

export const KeysPage = (): ReactNode => {
  const { t } = useTranslation('account')
  const { data } = useRead(listApiKeys, { query: { pageSize: 100 } })
  const [isMaking, setIsMaking] = useState(false)
  const make = (
    <Button leftSection={<Icon name="plus" size="small" />} onClick={() => setIsMaking(true)}>
      {t('keys.make')}
    </Button>
  )
  return (
    <AccountPage>
      <Section title={t('keys.title')} text={t('keys.text')} actions={data.length === 0 ? undefined : make}>
        {data.length === 0 ? (
          <EmptyState icon="key" title={t('keys.none')} text={t('keys.noneText')} action={make} />
        ) : null}
        <Stack as="ul" gap={2} collapse>
          {data.map((key) => (
            <KeyRow key={key.id} {...key} />
          ))}
        </Stack>
      </Section>
      <Use />
      <NewKey isOpen={isMaking} onClose={() => setIsMaking(false)} />
    </AccountPage>
  )
}

const KeyRow = ({ id, name, keyPrefix, lastUsedAt, expiresAt, isActive, downloadMetadata }: ApiKeyDto): ReactNode => {
  const { t } = useTranslation('account')
  const { ago, day } = useTimeText()
  const options = { invalidates: [listApiKeys], onError: useSayFailure() }
  const change = useChange(updateApiKey, options)
  const remove = useChange(deleteApiKey, options)
  const setActive = (active: boolean): void =>
    change.mutate(
      { params: { id }, body: { isActive: active } },
      {
        onSuccess: () =>
          toast({
            text: t(active ? 'keys.switchedOn' : 'keys.switchedOff', { name }),
            undo: () => change.mutate({ params: { id }, body: { isActive: !active } }),
          }),
      },
    )
  const used = lastUsedAt === null ? t('keys.neverUsed') : t('keys.used', { when: ago(lastUsedAt) })
  return (
    <Row as="li" gap={3} rowGap={2} wrap box className={styles.row}>
      <Icon name="key" />
      <Stack className={styles.rowText}>
        <span className={styles.rowTitle}>{name}</span>
        <Text as="span" quiet size={13}>
          {[`${keyPrefix}…`, used, expiresAt && t('keys.until', { day: day(expiresAt) })].filter(Boolean).join(' · ')}
        </Text>
      </Stack>
      <KeyDownloads
        size="xs"
        aria-label={`${t('keys.downloads')}: ${name}`}
        value={downloadMetadata}
        disabled={change.isPending}
        onChange={(value) => change.mutate({ params: { id }, body: { downloadMetadata: value } })}
      />
      <Button variant="default" size="compact-sm" onClick={() => setActive(!isActive)}>
        {t(isActive ? 'keys.switchOff' : 'keys.switchOn')}
      </Button>
      {isActive ? null : (
        <Button variant="default" size="compact-sm" onClick={() => remove.mutate({ params: { id } })}>
          {t('keys.remove')}
        </Button>
      )}
    </Row>
  )
}

/** It explains the use of a key. */
const Use = (): ReactNode => {
  const { t } = useTranslation('account')
  const address = `${location.origin}${basePath}/api/v1`
  return (
    <Section title={t('keys.use')} text={t('keys.useText')}>
      <Copyable label={t('keys.address')} text={address} />
      <Code block className={styles.example} tabIndex={0}>{`curl -H "X-API-Key: carrel_…" ${address}/series`}</Code>
      <Text quiet size={13}>
        <a href={`${basePath}/api/docs`}>{t('keys.reference')}</a>
      </Text>
    </Section>
  )
}
