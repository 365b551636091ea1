import { type DoorAddress, readDoorAddresses, readStatisticsIntake } from '@carrel/api'
import { Badge, Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useMay, useMe } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Copyable } from '../../ui/form/copyable.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Text } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import styles from './account.module.css'
import { NewKey } from './new-key.tsx'

/** The list holds the addresses an app needs to connect. */
export const AppAddresses = (): ReactNode => {
  const { t } = useTranslation('account')
  const { username } = useMe()
  const { addresses } = useRead(readDoorAddresses, {})
  const [isMaking, setIsMaking] = useState(false)
  return (
    <Section
      title={t('apps.title')}
      text={t('apps.text')}
      actions={
        <Button leftSection={<Icon name="key" size="small" />} onClick={() => setIsMaking(true)}>
          {t('keys.make')}
        </Button>
      }
    >
      <Copyable label={t('apps.userName')} text={username} />
      <Text quiet size={13}>
        {t('apps.keyHint')}
      </Text>
      <RowList label={t('apps.title')}>
        {addresses.map((each) => (
          <AddressRow key={each.kind} {...each} />
        ))}
      </RowList>
      <NewKey isOpen={isMaking} onClose={() => setIsMaking(false)} />
    </Section>
  )
}

const AddressRow = ({ kind, address, isOpen }: DoorAddress): ReactNode => {
  const { t } = useTranslation('account')
  const mayOpen = useMay('settings:write')
  return (
    <ListRow
      title={t(`apps.${kind}.title`)}
      mark={
        isOpen ? null : (
          <Badge className={styles.mark} variant="light" color="gray">
            {t('apps.closed')}
          </Badge>
        )
      }
      text={t(`apps.${kind}.text`)}
    >
      {isOpen ? (
        <>
          <Copyable label={t('apps.address')} text={address} />
          {kind === 'koreaderStatistics' ? <Intake /> : null}
        </>
      ) : mayOpen ? (
        <AppLink to={paths.serverSettings()}>{t('apps.openIt')}</AppLink>
      ) : (
        <Text as="span" quiet size={13}>
          {t('apps.askAdmin')}
        </Text>
      )}
    </ListRow>
  )
}

/** It shows the outcome of the statistics uploaded last. */
const Intake = (): ReactNode => {
  const { t } = useTranslation('account')
  const { ago } = useTimeText()
  const last = useRead(readStatisticsIntake, {})
  if (!last) return null
  const { at, fault, pages, waiting } = last
  return (
    <p className={styles.intake}>
      {fault === null
        ? t('apps.intake.came', { count: pages, when: ago(at) })
        : t('apps.intake.bad', { when: ago(at) })}
      {waiting === 0 ? null : ` ${t('apps.intake.waiting', { count: waiting })}`}
    </p>
  )
}
