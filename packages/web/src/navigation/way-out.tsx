import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from './link.tsx'
import { paths } from './paths.ts'

interface WayOutProps {
  /** Absent: everything that is there. */
  readonly to?: string
  readonly label?: string
}

/** The button of an empty place, which leads to where there is something. */
export const WayOut = ({ to = paths.seriesList(), label }: WayOutProps): ReactNode => {
  const { t } = useTranslation()
  return (
    <Button component={AppLink} to={to} variant="light" radius="xl">
      {label ?? t('lookAround')}
    </Button>
  )
}

/** The button of an empty list that some search or filter has emptied. */
export const ShowAll = ({ onClick }: { readonly onClick: () => void }): ReactNode => {
  const { t } = useTranslation()
  return (
    <Button variant="light" radius="xl" onClick={onClick}>
      {t('showAll')}
    </Button>
  )
}

/** Where nothing waits, the way back to what else there is to look after. */
export const ToAdministration = (): ReactNode => {
  const { t } = useTranslation()
  return <WayOut to={paths.admin()} label={t('toAdministration')} />
}
