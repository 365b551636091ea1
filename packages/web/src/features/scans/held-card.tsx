import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import styles from './held-card.module.css'
import { type HeldRemovals, useHeld } from './use-held.ts'

interface HeldProps {
  readonly libraryId: string
  readonly held: HeldRemovals
}

const foldersShown = 5

/** Books that a scan no longer sees, and has not removed: somebody must say whether they are gone. */
export const HeldCard = ({ libraryId, held }: HeldProps): ReactNode => {
  const { t } = useTranslation('scans')
  const { ago } = useTimeText()
  const { reason, vanishing, of, folders, heldAt } = held
  return (
    <div className={styles.card}>
      <Section title={t('held.title', { count: vanishing })} text={t('held.why', { when: ago(heldAt), count: of })}>
        <Text>{t(`held.reason.${reason}`)}</Text>
        <Stack as="ul" className={styles.folders} aria-label={t('held.folders')}>
          {folders.slice(0, foldersShown).map(({ path, count }) => (
            <Row as="li" key={path} gap={3} align="stretch" justify="between">
              <span className={styles.path} dir="auto">
                {path === '' ? t('held.root') : path}
              </span>
              <span className={styles.count}>{t('held.books', { count })}</span>
            </Row>
          ))}
        </Stack>
        <HeldActions libraryId={libraryId} held={held}>
          <Button component={AppLink} to={paths.adminHeldChanges(libraryId)} variant="default">
            {t('held.show')}
          </Button>
        </HeldActions>
      </Section>
    </div>
  )
}

/** The two answers, and what each of them means. */
export const HeldActions = ({
  libraryId,
  held,
  children,
}: HeldProps & { readonly children?: ReactNode }): ReactNode => {
  const { t } = useTranslation('scans')
  const { confirm, reject, isBusy } = useHeld(libraryId, held)
  return (
    <>
      <Row gap={2} align="stretch" wrap touch="wide">
        {children}
        <Button variant="default" disabled={isBusy} onClick={reject}>
          {t('held.reject')}
        </Button>
        <Button loading={isBusy} onClick={confirm}>
          {t('held.confirm')}
        </Button>
      </Row>
      <Text quiet size={14}>
        {t('held.hint')}
      </Text>
    </>
  )
}
