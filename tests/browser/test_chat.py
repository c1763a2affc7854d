"""The Chat in a real JupyterLab: said by key, remembered, pinned, edited, forgotten, stopped."""

import pytest
from jupyter_browser import view
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CELLS = [
    "import time\nimport hydralab as hl\nfrom hydralab.llms import Delta",
    """class Slow:
    name, window = "slow", None

    def complete(self, messages, /, **_):
        return hl.Reply("Noted: " + messages[-1]["content"])

    def stream(self, messages, /, **_):
        for word in ("Noted: " + messages[-1]["content"]).split(" "):
            yield Delta(word + " ")
            time.sleep(0.4 if "slowly" in messages[-1]["content"] else 0)
        yield Delta("", hl.Reply("Noted: " + messages[-1]["content"]))""",
    "agent = hl.Agent(Slow(), budget=2000)\nwidget = hl.widgets.Chat(agent)\nwidget",
]


@pytest.fixture
def chat(jupyter, page):
    jupyter.write("chat.ipynb", CELLS)
    jupyter.open(page, "chat.ipynb")
    jupyter.run_all(page)
    view(page).wait_for()
    return view(page)


def say(chat, page, text):
    chat.get_by_label("message").fill(text)
    page.keyboard.press("Enter")


def test_a_conversation_is_had_and_its_memory_changed_by_hand(chat, page):
    say(chat, page, "预算是84,500欧元 😀 <img src=x onerror=alert(1)>")
    expect(chat.locator(".hl-turn-assistant").first).to_contain_text("Noted: 预算是84,500欧元")
    expect(chat.locator(".hl-total")).to_contain_text("/ 2,000 tokens")
    say(chat, page, "/checkpoint Budget")
    remembered = chat.locator(".hl-remembered")
    expect(remembered).to_contain_text("Budget")
    expect(chat.locator("img")).to_have_count(0)

    remembered.get_by_role("button", name="pin").click()
    expect(remembered).to_contain_text("pinned")
    expect(remembered.get_by_role("button", name="unpin")).to_be_focused()
    remembered.get_by_role("button", name="edit").click()
    chat.get_by_label("text of checkpoint").fill("84,500 euros, final")
    chat.get_by_role("button", name="save").click()
    expect(remembered).to_contain_text("84,500 euros, final")

    say(chat, page, "And now?")
    expect(chat.locator(".hl-turn-assistant")).to_have_count(2)
    chat.get_by_role("button", name="what the model saw at turn 0").click()
    expect(chat.locator(".hl-prompt h3")).to_have_text("what the model saw at turn 0")
    remembered.get_by_role("button", name="forget").click()
    expect(remembered).to_have_count(0)
    expect(chat.locator(".hl-error")).to_be_hidden()


def test_a_reply_is_seen_as_it_is_written_and_stopped_by_escape(chat, page):
    say(chat, page, "Count slowly: one two three four five six seven eight nine ten eleven twelve")
    expect(chat.locator(".hl-turn-assistant")).to_contain_text("one two")
    expect(chat.get_by_role("button", name="stop")).to_be_visible()
    page.keyboard.press("Escape")
    expect(chat.get_by_role("button", name="send")).to_be_visible()
    expect(chat.locator(".hl-turn-assistant .hl-badge")).to_have_text("cut")
    expect(chat.locator(".hl-turn-assistant[data-turn]")).not_to_contain_text("twelve")
    say(chat, page, "   ")
    expect(chat.locator(".hl-turn-user")).to_have_count(1)
