import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../../navigation/link.tsx'
import { paths } from '../../../navigation/paths.ts'
import { Row, Stack, Text } from '../../../ui/layout/layout.tsx'
import styles from './example.module.css'
import { useExample } from './use-example.ts'

/** It says that these are not one's own books, and takes them away again; at first it shows around. */
export const ExampleBar = (): ReactNode => {
  const { t } = useTranslation('home')
  const example = useExample()
  if (!example.isThere) return null
  return (
    <Row as="aside" gap={4} rowGap={3} wrap justify="between" box pad={4} aria-label={t('example.name')}>
      {example.isOnTour ? (
        <Tour onLeave={example.leaveTour} />
      ) : (
        <Text className={styles.words}>{t('example.here')}</Text>
      )}
      <Row gap={2} wrap touch>
        <Button variant="default" loading={example.isBusy} onClick={example.remove}>
          {t('example.remove')}
        </Button>
        <Button component={AppLink} to={paths.newLibrary()}>
          {t('addLibrary')}
        </Button>
      </Row>
    </Row>
  )
}

const steps = ['open', 'shelves', 'search', 'menu', 'own'] as const

const Tour = ({ onLeave }: { readonly onLeave: () => void }): ReactNode => {
  const { t } = useTranslation('home')
  const [at, setAt] = useState(0)
  const step = steps[at]
  if (step === undefined) return null
  const isLast = at === steps.length - 1
  return (
    <Stack gap={2} className={styles.words}>
      <p className={styles.step} aria-live="polite">
        <b>{t('tour.step', { at: at + 1, of: steps.length })}</b> {t(`tour.${step}`)}
      </p>
      <Row gap={2}>
        {isLast ? null : (
          <Button size="compact-md" variant="light" onClick={() => setAt(at + 1)}>
            {t('tour.next')}
          </Button>
        )}
        <Button size="compact-md" variant={isLast ? 'light' : 'subtle'} onClick={onLeave}>
          {t('tour.leave')}
        </Button>
      </Row>
    </Stack>
  )
}
