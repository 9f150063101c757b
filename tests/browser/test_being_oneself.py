"""Whoever one is, in another browser too; and nobody, if one wishes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from playwright.async_api import expect


async def test_a_code_carries_somebody_to_another_browser_and_they_can_be_forgotten(come: Callable[..., Any]) -> None:
    ana, other = await asyncio.gather(come("Ana"), come("Somebody"))
    await asyncio.gather(ana.go("/settings"), other.go("/settings"))
    await ana.press("Be yourself on another device")
    code = await ana.page.locator(".passing .code").get_attribute("data-code")
    await ana.press("Done")
    await other.press("Be who you are elsewhere")
    await other.page.get_by_label("The code from your other device").fill(f"{code[:4].lower()} {code[4:]}")
    await other.press("That is me")
    await expect(other.page.locator("#bar .who .name")).to_have_text("Ana")
    token = "localStorage.getItem('upcard.token')"
    await other.page.reload()
    await expect(other.page.locator("#bar .who .name")).to_have_text("Ana")
    ana.pardoned = other.pardoned = ("WebSocket", "401")
    await ana.press("Have yourself forgotten")
    before = await ana.page.evaluate(token)
    await ana.press("Forget me")
    for someone in (ana, other):  # the other browser is shown out, and comes back as somebody new too
        await expect(someone.page.locator("#bar .dot")).to_have_attribute("aria-label", "Connected")
        await someone.page.wait_for_function(f"old => {token} && {token} !== old", arg=before)
    await expect(ana.page.locator("#bar .who .name")).to_contain_text("Guest")
