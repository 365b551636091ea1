import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../ui/icon.tsx'
import { NavButton } from '../ui/layout/frame.tsx'

const YouDrawer = lazy(async () => ({ default: (await import('./you-drawer.tsx')).YouDrawer }))

/** On phones it opens all places for which the bar at the bottom has no room. */
export const YouButton = ({ isCurrent }: { readonly isCurrent: boolean }): ReactNode => {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState<boolean>()
  return (
    <>
      <NavButton label={t('places.you')} isCurrent={isCurrent} onClick={() => setIsOpen(true)}>
        <Icon name="person" />
      </NavButton>
      {isOpen === undefined ? null : (
        <Suspense>
          <YouDrawer isOpen={isOpen} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
