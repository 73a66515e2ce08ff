"""Semantic entropy on labelled samples: do clusters agree with what the samples say?"""
