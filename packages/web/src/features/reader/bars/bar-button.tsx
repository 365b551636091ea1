import type { ReactNode } from 'react'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { Center } from '../../../ui/layout/layout.tsx'
import { Drawing, type DrawingName, isDrawing } from '../sheet/drawing.tsx'
import styles from './bars.module.css'

interface BarButtonProps {
  readonly icon: IconName | DrawingName
  readonly label: string
  readonly isPressed?: boolean
  /** What it opens stands beside the page. */
  readonly isOpen?: boolean
  readonly onClick: () => void
}

export const BarButton = ({ icon, label, isPressed, isOpen, onClick }: BarButtonProps): ReactNode => (
  <Center
    as="button"
    type="button"
    className={styles.button}
    aria-label={label}
    aria-pressed={isPressed}
    aria-expanded={isOpen}
    title={label}
    onClick={onClick}
  >
    {isDrawing(icon) ? <Drawing name={icon} size={20} /> : <Icon name={icon} />}
  </Center>
)
