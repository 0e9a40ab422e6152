"""The Relati tutorial: eleven small positions, O to move, about four minutes in all."""

from __future__ import annotations

from typing import Final

from server.boards.lesson import Lesson

ESCAPES: Final = "E.*"  # which a lesson of its own teaches
LESSONS: Final = (
    Lesson("locate", "9/9/9/9/9/9/6Xs2/9/9 O OX", "L.*"),
    Lesson("connect", "9/9/2Os6/9/9/9/6XsX1/9/9 O OX", "R[bcd][234]", later=ESCAPES),
    Lesson("reach", "9/9/2OsO5/9/9/9/6XsX1/9/9 O OX", "Rf[1-5]", later=ESCAPES),
    Lesson("cut", "4Xs4/3Os5/4X4/9/4X4/9/9/9/9 O OX", "Re2", later=ESCAPES),
    Lesson("contact", "9/9/9/9/1OsOOX4/9/5X3/6Xs2/9 O OX", "Ne5d5", spoilt="Ne5c5", later=ESCAPES),
    Lesson("shot", "9/9/9/9/1OsOO3X1/9/9/6Xs2/9 O OX", "Fh5d5", spoilt="Fh5c5", later=ESCAPES),
    Lesson("shield", "9/9/9/9/2OsO1XXXs1/9/9/9/9 O OX", "Dd5", later=ESCAPES),
    Lesson("bomb", "9/1Os7/9/3X1X3/4Od4/3XsX4/9/7Xd1/9 O OX", "Be5", later=ESCAPES),
    Lesson("escape", "9/9/9/3O5/4OsXXs2/9/9/9/9 O OX", "E[a-i][^5]", spoilt="E[ab]5"),
    Lesson("pincer", "9/9/9/4O4/3OsXO3/9/4Xs4/9/9 O OX", "Re6"),
    Lesson("win", "9/9/9/9/1OsOO2Xs2/9/9/9/9 O OX", "Fg5d5"),
)
