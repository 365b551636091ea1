import type { ReactNode } from 'react'
import { AccountPage } from './account-page.tsx'
import { FeedSection } from './feed-section.tsx'
import { WebhookSection } from './webhook-section.tsx'

/** Where one is told of what is new, besides the app. */
export const NotificationSettingsPage = (): ReactNode => (
  <AccountPage>
    <FeedSection />
    <WebhookSection />
  </AccountPage>
)
