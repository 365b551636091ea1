import { Button } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../api/call.ts'
import { AppLink } from '../navigation/link.tsx'
import { paths } from '../navigation/paths.ts'
import { useProblemText } from '../text/problem-text.ts'
import { Page } from '../ui/layout/page.tsx'
import { EmptyState, ErrorState } from '../ui/state/state.tsx'

/** It takes the place of a page whose reads failed, or whose code failed. */
export const PageFailed = ({ error, reset }: ErrorComponentProps): ReactNode => {
  const { t } = useTranslation()
  const textOf = useProblemText()
  const router = useRouter()
  if (error instanceof ApiProblem && (error.code === 'not_found' || isWrongAddress(error))) return <PageMissing />
  if (error instanceof ApiProblem && error.code === 'not_allowed') return <PageRefused />
  const tryAgain = (): void => {
    reset()
    void router.invalidate()
  }
  return (
    <Page title={t('page.failed')}>
      <ErrorState title={textOf(error)} action={<Button onClick={tryAgain}>{t('tryAgain')}</Button>} />
    </Page>
  )
}

/** The address cannot contain the id of anything. */
const isWrongAddress = ({ code, details }: ApiProblem): boolean =>
  code === 'validation_failed' && /id$/i.test(details[0]?.path ?? '')

export const PageMissing = (): ReactNode => {
  const { t } = useTranslation()
  return (
    <Page title={t('page.notFound')}>
      <EmptyState
        icon="search"
        title={t('page.notFoundText')}
        action={
          <Button component={AppLink} to={paths.home()}>
            {t('page.toHome')}
          </Button>
        }
      />
    </Page>
  )
}

/** It answers an address that no page has: there is no frame around it. */
export const NoPage = (): ReactNode => (
  <main>
    <PageMissing />
  </main>
)

/** It takes the place of a page that is for others: it says what to do about that, and links back. */
export const PageRefused = (): ReactNode => {
  const { t } = useTranslation()
  return (
    <Page title={t('page.refused')}>
      <EmptyState
        icon="lock"
        title={t('page.refusedTitle')}
        text={t('page.refusedText')}
        action={
          <Button component={AppLink} to={paths.home()}>
            {t('page.toHome')}
          </Button>
        }
      />
    </Page>
  )
}
